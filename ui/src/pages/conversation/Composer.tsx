/** Where a message is written: kept as a draft, with mentions, sent by Enter. */
import { ActionIcon, Combobox, Text, Textarea, useCombobox } from '@mantine/core';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { draftStore } from '../../parts/drafts';
import { Face } from '../../parts/Face';
import { usePlace } from '../../parts/place';
import { bytes } from '../../parts/text/numbers';
import classes from './Conversation.module.css';
import { completeMention, mentionAt } from './mention';

interface Props {
  /** Names the draft. */
  box: string;
  placeholder: string;
  /** Names that can be mentioned. */
  names: readonly string[];
  /** Stands left of the button. */
  options?: ReactNode;
  onSend: (text: string) => void;
}

const BYTES_MAX = 65_536;
const NAMES_SHOWN = 6;

export function Composer({ box, placeholder, names, options, onSend }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const draft = draftStore(office, box);
  const [text, setText] = useState(draft.read);
  const [cursor, setCursor] = useState(0);
  const area = useRef<HTMLTextAreaElement>(null);
  const combobox = useCombobox();

  const size = new TextEncoder().encode(text).length;
  const tooLong = size > BYTES_MAX;
  const typing = mentionAt(text, cursor);
  const found =
    typing === null
      ? []
      : names.filter((name) => name.startsWith(typing.text.toLowerCase())).slice(0, NAMES_SHOWN);
  const choosing = found.length > 0 && combobox.dropdownOpened;

  const change = (next: string, at: number) => {
    setText(next);
    setCursor(at);
    draft.write(next);
    if (mentionAt(next, at)) {
      combobox.openDropdown();
      combobox.selectFirstOption();
    } else combobox.closeDropdown();
  };
  const send = () => {
    if (text.trim() === '' || tooLong) return;
    onSend(text.trim());
    change('', 0);
  };
  const choose = (name: string) => {
    if (typing === null) return;
    const next = completeMention(text, cursor, typing, name);
    change(next.text, next.cursor);
    requestAnimationFrame(() => area.current?.setSelectionRange(next.cursor, next.cursor));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method's Enter chooses a character; it must not send half a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (choosing) return;
    event.preventDefault();
    send();
  };

  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="top-start" width={240} offset={12}>
      <div className={classes.composer}>
        <Combobox.DropdownTarget>
          <Combobox.EventsTarget withExpandedAttribute={false}>
            <Textarea
              ref={area}
              variant="unstyled"
              autosize
              minRows={1}
              maxRows={12}
              value={text}
              placeholder={placeholder}
              aria-label={placeholder}
              onChange={(event) =>
                change(event.currentTarget.value, event.currentTarget.selectionStart)
              }
              onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
              onKeyDown={onKeyDown}
              onBlur={() => combobox.closeDropdown()}
              error={
                tooLong
                  ? t('conversation.too_long', { size: bytes(size), max: bytes(BYTES_MAX) })
                  : undefined
              }
              data-autofocus
            />
          </Combobox.EventsTarget>
        </Combobox.DropdownTarget>
        <div className={classes.tools}>
          {options}
          <span className={classes.spring} />
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {t('conversation.keys')}
          </Text>
          <ActionIcon
            size="lg"
            radius="md"
            onClick={send}
            disabled={text.trim() === '' || tooLong}
            aria-label={t('conversation.send')}
          >
            <ArrowUp size={18} />
          </ActionIcon>
        </div>
      </div>
      <Combobox.Dropdown hidden={!choosing}>
        <Combobox.Options>
          {found.map((name) => (
            <Combobox.Option key={name} value={name}>
              <Face name={name} size={20} /> {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
