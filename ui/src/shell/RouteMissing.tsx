/** An address that leads nowhere, outside of every office. */
import { PageMissing } from './PageMissing';

export function RouteMissing() {
  return (
    <main>
      <PageMissing />
    </main>
  );
}
