/** The first-run tour: five stops through the office. */
import { Button, Group, Text, Title } from '@mantine/core';
import { useFocusTrap, useHotkeys, useViewportSize } from '@mantine/hooks';
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { useGo } from '../../parts/To';
import { type Box, placeCard } from './place';
import classes from './Tour.module.css';
import { endTour, STOPS } from './tour';

/** Pixels of light around what is lit. */
const HALO = 6;

function boxOf(anchor: string): Box | null {
  const box = document.querySelector(`[data-tour="${anchor}"]`)?.getBoundingClientRect();
  // Off the screen or folded away: on a phone the sidebar is.
  const seen =
    box !== undefined && box.width > 0 && box.right > 0 && box.left < innerWidth && box.bottom > 0;
  if (!seen) return null;
  const { top, left, width, height } = box;
  return {
    top: top - HALO,
    left: left - HALO,
    width: width + 2 * HALO,
    height: height + 2 * HALO,
  };
}

export default function Tour() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const go = useGo();
  const screen = useViewportSize();
  const card = useRef<HTMLDivElement>(null);
  const trap = useFocusTrap();
  const [step, setStep] = useState(0);
  const [lit, setLit] = useState<Box | null>(null);
  const [at, setAt] = useState<{ top: number; left: number }>();
  const stop = STOPS[step] ?? STOPS[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the card is placed anew when the screen changes
  useLayoutEffect(() => {
    const box = boxOf(stop.anchor);
    setLit(box);
    if (card.current === null) return;
    const { offsetWidth: width, offsetHeight: height } = card.current;
    setAt(placeCard({ width, height }, box, { width: innerWidth, height: innerHeight }));
  }, [stop, screen]);

  const turn = (by: number) => {
    const next = step + by;
    if (next >= STOPS.length) endTour();
    else setStep(Math.max(0, next));
  };
  useHotkeys([
    ['Escape', endTour],
    ['ArrowRight', () => turn(1)],
    ['ArrowLeft', () => turn(-1)],
  ]);
  const isLast = step === STOPS.length - 1;
  return (
    <div ref={trap}>
      <div className={classes.veil} aria-hidden="true" />
      {lit && <div className={classes.light} style={lit as CSSProperties} aria-hidden="true" />}
      <div
        ref={card}
        className={classes.card}
        style={at ?? { visibility: 'hidden' }}
        role="dialog"
        aria-modal="true"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
      >
        <Text size="xs" c="dimmed">
          {t('shell.tour.step', { n: step + 1, count: STOPS.length })}
        </Text>
        <Title order={2} size="h3" id="tour-title">
          {t(`shell.tour.${stop.key}.title`)}
        </Title>
        <Text size="sm" mt={4} id="tour-text">
          {t(`shell.tour.${stop.key}.text`)}
        </Text>
        <Group justify="space-between" mt="md">
          <Button size="xs" variant="subtle" color="gray" onClick={endTour}>
            {t('shell.tour.skip')}
          </Button>
          <Group gap="xs">
            {step > 0 && (
              <Button size="xs" variant="default" onClick={() => turn(-1)}>
                {t('shell.tour.back')}
              </Button>
            )}
            <Button
              size="xs"
              data-autofocus
              onClick={() => {
                if (isLast) go(paths.home(office));
                turn(1);
              }}
            >
              {t(isLast ? 'shell.tour.end' : 'shell.tour.next')}
            </Button>
          </Group>
        </Group>
      </div>
    </div>
  );
}
