/** A filter one types; it is told after a moment without a key. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';

interface Props {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  /** Searches in the text of things, instead of one property of theirs. */
  isSearch?: boolean;
}

const TYPING_MS = 300;

export function FilterText({ label, value, onChange, isSearch = false }: Props) {
  const [text, setText] = useState(value ?? '');
  const ask = useDebouncedCallback((next: string) => onChange(next.trim()), TYPING_MS);
  return (
    <TextInput
      size="xs"
      leftSection={isSearch ? <Search size={14} /> : undefined}
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        ask(event.currentTarget.value);
      }}
    />
  );
}
