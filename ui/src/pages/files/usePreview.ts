/** Fetches what a file's preview needs. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { openPreview } from '../../api/actions';
import { fileAddress, fileTextQuery, folderQuery, officeKey } from '../../api/queries';
import type { Preview } from '../../parts/files/FilePreview';
import { folderOf, kindOf } from '../../parts/files/kinds';
import { usePlace } from '../../parts/place';

/** Larger files are only downloaded. */
const BYTES_MAX = 8_000_000;

/** NUL never occurs in text. */
const isBinary = (text: string) => text.slice(0, 4096).includes('\u0000');

export function usePreview(agent: string, path: string, asSource: boolean) {
  const { office } = usePlace();
  const client = useQueryClient();
  const folder = useQuery(folderQuery(office, agent, folderOf(path)));
  const info = folder.data?.items.find((one) => one.path === path);
  const kind = kindOf(path);
  const size = info?.size_bytes ?? 0;

  const build = async (): Promise<Preview> => {
    if (kind === 'image' && !asSource)
      return { kind: 'image', src: fileAddress(office, agent, path) };
    if (kind === 'html' && !asSource)
      return { kind: 'page', src: (await openPreview(office, agent, path)).path };
    if (size > BYTES_MAX) return { kind: 'none', reason: 'large' };
    if (kind === 'binary') return { kind: 'none', reason: 'binary' };
    const text = await client.fetchQuery(fileTextQuery(office, agent, path));
    if (isBinary(text)) return { kind: 'none', reason: 'binary' };
    return kind === 'markdown' && !asSource ? { kind: 'markdown', text } : { kind: 'text', text };
  };
  const preview = useQuery({
    queryKey: [...officeKey(office), 'files', agent, 'preview', path, asSource, info?.modified_at],
    queryFn: build,
    enabled: !folder.isPending,
    staleTime: 0,
  });
  return { info, kind, preview };
}
