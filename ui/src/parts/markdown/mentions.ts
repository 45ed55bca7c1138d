/** Marks `@name` in rendered Markdown, for names that were really mentioned. */

interface Node {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function split(text: string, pattern: RegExp): Node[] {
  return text
    .split(pattern)
    .filter((piece) => piece !== '')
    .map((piece) =>
      pattern.test(piece)
        ? {
            type: 'element',
            tagName: 'mark',
            properties: {},
            children: [{ type: 'text', value: piece }],
          }
        : { type: 'text', value: piece },
    );
}

function walk(node: Node, pattern: RegExp): void {
  if (node.tagName === 'code' || node.tagName === 'a' || node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '', pattern);
    walk(child, pattern);
    return [child];
  });
}

/** A rehype plugin. */
export function markMentions(names: readonly string[]): () => (tree: unknown) => void {
  return () => (tree) => {
    if (names.length === 0) return;
    const pattern = new RegExp(`(@(?:${names.map(escaped).join('|')})(?![\\w-]))`);
    walk(tree as Node, pattern);
  };
}
