/** One provider: usable or not and why, a test by a real request, its models to choose from. */
import { Button, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ChevronRight, CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeOffice, testProvider } from '../../api/actions';
import type { ModelInfo, ProviderView } from '../../api/types';
import { notifyDone, notifyProblem, problemText } from '../../parts/notify';
import { compact } from '../../parts/text/numbers';
import { said } from '../../parts/text/said';
import { duration } from '../../parts/text/time';
import { useOffice } from '../../stream/hooks';
import classes from './Settings.module.css';

interface Props {
  provider: ProviderView;
}

/** Dialects that are spoken to over HTTP; the others have nothing to test. */
const TESTABLE: ReadonlySet<string> = new Set(['openai', 'anthropic']);

export function Provider({ provider }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const id = useId();
  const test = useMutation({ mutationFn: () => testProvider(provider.id) });
  const why = !TESTABLE.has(provider.dialect)
    ? t('settings.provider.no_test')
    : provider.usable
      ? ''
      : t('settings.provider.test_needs');
  return (
    <li className={classes.provider}>
      <div className={classes.providerHead}>
        {provider.usable ? (
          <CircleCheck size={18} className={classes.good} aria-hidden="true" />
        ) : (
          <CircleMinus size={18} className={classes.faint} aria-hidden="true" />
        )}
        <div className={classes.grow}>
          <Text size="sm" fw={650}>
            {provider.name}
            {provider.local && <span className={classes.mark}>{t('settings.provider.local')}</span>}
          </Text>
          <Text size="sm" c="dimmed">
            {provider.usable
              ? provider.base_url || t('settings.provider.inside')
              : [provider.reason, provider.hint].filter(Boolean).map(said).join(' ')}
          </Text>
        </div>
        <Tooltip
          label={why}
          disabled={why === ''}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            data-disabled={why !== ''}
            aria-disabled={why !== ''}
            onClick={(event) => {
              if (why === '') test.mutate();
              else event.preventDefault();
            }}
          >
            {t('settings.provider.test')}
          </Button>
        </Tooltip>
      </div>
      {test.data && (
        <Text
          size="sm"
          className={classes.result}
          data-ok={test.data.ok || undefined}
          role="status"
        >
          {test.data.ok
            ? t('settings.provider.works', { time: duration(test.data.latency_ms) })
            : test.data.message}
        </Text>
      )}
      {test.error && (
        <Text size="sm" className={classes.result} role="status">
          <CircleX size={14} aria-hidden="true" /> {problemText(test.error)}
        </Text>
      )}
      {provider.models.length > 0 && (
        <>
          <UnstyledButton
            className={classes.fold}
            aria-expanded={opened}
            aria-controls={id}
            onClick={() => setOpened(!opened)}
          >
            <ChevronRight
              size={13}
              className={classes.chevron}
              data-open={opened || undefined}
              aria-hidden="true"
            />
            {t('settings.provider.models', { count: provider.models.length })}
          </UnstyledButton>
          {opened && (
            <ul className={classes.models} id={id}>
              {provider.models.map((model) => (
                <Model key={model.ref} model={model} usable={provider.usable} />
              ))}
            </ul>
          )}
        </>
      )}
    </li>
  );
}

function Model({ model, usable }: { model: ModelInfo; usable: boolean }) {
  const { t, i18n } = useTranslation();
  const office = useOffice();
  const choose = useMutation({
    mutationFn: () => changeOffice(office.name, { model: model.ref }),
    onSuccess: () => notifyDone(t('settings.provider.chosen', { model: model.ref })),
    onError: notifyProblem,
  });
  const isChosen = office.model === model.ref;
  const price =
    model.input_usd_per_million === null || model.output_usd_per_million === null
      ? t('settings.provider.no_price')
      : t('settings.provider.price', {
          input: model.input_usd_per_million,
          output: model.output_usd_per_million,
        });
  return (
    <li className={classes.model}>
      <div className={classes.grow}>
        <Text size="sm" className={classes.mono}>
          {model.ref}
        </Text>
        <Text size="xs" c="dimmed">
          {[
            t('settings.provider.context', { count: compact(model.context_tokens, i18n.language) }),
            price,
            model.reasoning ? t('settings.provider.reasons') : '',
            model.images ? t('settings.provider.sees') : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {isChosen ? (
        <Text size="xs" className={classes.good} fw={600}>
          {t('settings.provider.in_use')}
        </Text>
      ) : (
        usable && (
          <Button
            size="compact-xs"
            variant="default"
            loading={choose.isPending}
            onClick={() => choose.mutate()}
          >
            {t('settings.provider.use')}
          </Button>
        )
      )}
    </li>
  );
}
