/** Lets nothing of an address through but what its page has looked at. */

/**
 * The router lays what a page makes of its search over what the address said, so a value that the
 * page left out would still come through. Here it is said to be undefined.
 */
export function onlyKnown<T extends object>(
  look: (search: Record<string, unknown>) => T,
): (search: Record<string, unknown>) => T {
  return (search) => {
    const nothing = Object.fromEntries(Object.keys(search).map((key) => [key, undefined]));
    return { ...nothing, ...look(search) };
  };
}
