/** Where a link of somebody else's text may lead: other sites by a click, files of the author's workspace, nothing else. */

export type Target =
  | { kind: 'web'; href: string; host: string }
  | { kind: 'file'; path: string }
  | null;

export function targetOf(href: string | undefined): Target {
  if (href === undefined || href === '') return null;
  if (/^(https?:|mailto:)/i.test(href)) {
    try {
      const url = new URL(href);
      return { kind: 'web', href: url.href, host: url.host || url.pathname };
    } catch {
      return null;
    }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//') || href.startsWith('#')) {
    return null;
  }
  let path = href.replace(/[?#].*$/, '');
  try {
    path = decodeURIComponent(path);
  } catch {
    // a stray percent sign: the name is taken as it stands
  }
  path = path.replace(/^\.?\//, '');
  return path === '' || path.split('/').includes('..') ? null : { kind: 'file', path };
}
