/** The one-time token of a sign-in link: `…/#token=…`. The fragment never reaches a server's log. */

/** The token in a link, in a fragment, or bare; empty when there is none. */
export function tokenIn(text: string): string {
  const trimmed = text.trim();
  const named = /[#&?]token=([^&\s]+)/.exec(trimmed);
  if (named?.[1] !== undefined) return decodeURIComponent(named[1]);
  return /^[\w.~-]{4,}$/.test(trimmed) ? trimmed : '';
}

let waiting = '';

/** Takes the token out of the address before anything else can see it there. */
export function takeTokenFromAddress(): void {
  if (!location.hash.includes('token=')) return;
  waiting = tokenIn(location.hash);
  history.replaceState(null, '', '/sign-in');
}

/** The token that the address brought, once. */
export function waitingToken(): string {
  const token = waiting;
  waiting = '';
  return token;
}
