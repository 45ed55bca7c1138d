/** Draws again from time to time, for clocks and "5 minutes ago". */
import { useEffect, useState } from 'react';

/** The person's own time in milliseconds, renewed every `everyMs`. */
export function useTick(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
