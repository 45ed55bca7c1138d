/** One block of somebody else's Markdown. Nothing in it can run, load from elsewhere, or style the page. */
import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './CodeBlock';
import { ForeignImage, ForeignLink } from './Foreign';
import classes from './Markdown.module.css';
import { markMentions } from './mentions';

interface Props {
  text: string;
  /** Names whose `@name` is marked. */
  mentions: readonly string[];
  /** Whose workspace relative links lead into; empty for nobody's. */
  agent: string;
}

type Plain = ExtraProps & { children?: ReactNode };

/** The page's own headings give its outline; a message's headings are only large words. */
function Heading({ node, children }: Plain) {
  return (
    <p className={classes.heading} data-level={node?.tagName.slice(1)}>
      {children}
    </p>
  );
}

const COMPONENTS: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  pre: ({ children }: Plain) => <>{children}</>,
  code: ({ className, children }) => {
    const text = String(children ?? '');
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1];
    if (language === undefined && !text.includes('\n')) {
      return <code className={classes.code}>{children}</code>;
    }
    return <CodeBlock text={text.replace(/\n$/, '')} language={language ?? ''} />;
  },
  table: ({ children }: Plain) => (
    // biome-ignore lint/a11y/useSemanticElements: not a set of form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
    <div className={classes.table} tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
  mark: ({ children }: Plain) => <span className={classes.mention}>{children}</span>,
};

function componentsFor(agent: string): Components {
  return {
    ...COMPONENTS,
    a: ({ href, children }) => (
      <ForeignLink href={href} agent={agent}>
        {children}
      </ForeignLink>
    ),
    img: ({ src, alt }) => (
      <ForeignImage src={typeof src === 'string' ? src : undefined} alt={alt} agent={agent} />
    ),
  };
}

const known = new Map<string, Components>();

function componentsOf(agent: string): Components {
  const components = known.get(agent) ?? componentsFor(agent);
  known.set(agent, components);
  return components;
}

export const MarkdownBlock = memo(function MarkdownBlock({ text, mentions, agent }: Props) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize, markMentions(mentions)]}
      components={componentsOf(agent)}
      // Addresses are judged in Foreign.tsx.
      urlTransform={(url) => url}
    >
      {text}
    </ReactMarkdown>
  );
});
