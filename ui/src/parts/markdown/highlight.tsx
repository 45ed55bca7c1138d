/** Colours for code, as React nodes; a dozen languages that offices write. */
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { ReactNode } from 'react';

const lowlight = createLowlight({
  bash,
  css,
  diff,
  go,
  ini,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

interface Node {
  type: string;
  value?: string;
  properties?: { className?: string[] };
  children?: Node[];
}

function draw(node: Node, key: number): ReactNode {
  if (node.type === 'text') return node.value;
  const children = (node.children ?? []).map(draw);
  if (node.type === 'root') return children;
  return (
    <span key={key} className={node.properties?.className?.join(' ')}>
      {children}
    </span>
  );
}

export function highlight(text: string, language: string): ReactNode {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return text;
  return draw(lowlight.highlight(name, text) as Node, 0);
}
