/** A link inside the product: a real address, opened without loading the page again. */
import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** From `paths`. */
  to: string;
  ref?: Ref<HTMLAnchorElement>;
}

const wantsItsOwnTab = (event: MouseEvent) =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

export function To({ to, onClick, ...rest }: Props) {
  const go = useGo();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || wantsItsOwnTab(event)) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}

/** Goes to an address of the product. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const router = useRouter({ warn: false });
  return (to, options) => {
    if (options?.replace) router.history.replace(to);
    else router.history.push(to);
  };
}
