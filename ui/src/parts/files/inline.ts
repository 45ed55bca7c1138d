/**
 * Makes an agent's HTML page whole: its own style sheets and pictures are put into it, everything else is cut.
 *
 * The preview stands in a sandbox of another origin, which gets no cookies; so what the page needs from the workspace
 * must be inside it. Scripts, frames and foreign addresses are removed here, and would be stopped by the sandbox and
 * the content security policy as well.
 */
import { folderOf } from './kinds';

export interface Workspace {
  /** The text of a file of the same workspace; rejects when there is none. */
  text: (path: string) => Promise<string>;
  /** The file as a `data:` address; rejects when there is none. */
  data: (path: string) => Promise<string>;
}

/** A path relative to a page, as a path of the workspace; null when it leads elsewhere. */
export function resolvePath(page: string, reference: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference) || reference.startsWith('//')) return null;
  const clean = reference.replace(/[?#].*$/, '');
  if (clean === '') return null;
  const parts = clean.startsWith('/') ? [] : folderOf(page).split('/').filter(Boolean);
  for (const part of clean.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

const FORBIDDEN =
  'script, iframe, frame, object, embed, base, meta[http-equiv], link[rel~=preload]';

async function inlineStyles(document: Document, page: string, files: Workspace): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel~=stylesheet]')];
  await Promise.all(
    links.map(async (link) => {
      const path = resolvePath(page, link.getAttribute('href') ?? '');
      const style = document.createElement('style');
      try {
        style.textContent = path === null ? '' : await files.text(path);
        link.replaceWith(style);
      } catch {
        link.remove();
      }
    }),
  );
}

async function inlineImages(document: Document, page: string, files: Workspace): Promise<void> {
  const images = [...document.querySelectorAll<HTMLImageElement>('img')];
  await Promise.all(
    images.map(async (image) => {
      const source = image.getAttribute('src') ?? '';
      image.removeAttribute('srcset');
      if (source.startsWith('data:')) return;
      const path = resolvePath(page, source);
      image.removeAttribute('src');
      if (path === null) return;
      try {
        image.setAttribute('src', await files.data(path));
      } catch {
        // a missing picture shows its alternative text
      }
    }),
  );
}

/** The page as one document that asks nobody for anything. */
export async function inlinePage(html: string, page: string, files: Workspace): Promise<string> {
  const document = new DOMParser().parseFromString(html, 'text/html');
  for (const element of document.querySelectorAll(FORBIDDEN)) element.remove();
  await Promise.all([inlineStyles(document, page, files), inlineImages(document, page, files)]);
  return `<!doctype html>${document.documentElement.outerHTML}`;
}
