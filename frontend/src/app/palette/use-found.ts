import FolderRounded from '@mui/icons-material/FolderRounded';
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import { keepPreviousData } from '@tanstack/react-query';
import { $api, type Schema } from '../../shared/api/client';
import { readingAddress } from '../../shared/files/reading';
import { useDebounced } from '../../shared/hooks/use-debounced';
import type { Command } from './commands';

const settleMs = 200;
const most = 12;

/** Files and folders of all zones whose names hold what was typed, once nothing more is typed. */
export function useFound(typed: string) {
  const q = useDebounced(typed, settleMs);
  const { data, error, isFetching } = $api.useQuery(
    'get',
    '/api/search',
    { params: { query: { q, limit: most } } },
    { enabled: q !== '' && typed !== '', placeholderData: keepPreviousData },
  );
  const hits = typed === '' || q === '' ? [] : (data ?? []);
  return {
    found: hits.map(toCommand),
    error: typed === '' ? null : error,
    searching: typed !== '' && (isFetching || q !== typed),
  };
}

function toCommand({ kind, id, name, zoneId, zoneName, path, file, folder }: Schema<'SearchHitDto'>): Command {
  return {
    id: `${kind}-${zoneId}-${id}`,
    group: 'found',
    name,
    detail: [zoneName, ...path.map((step) => step.name)].join(' / '),
    icon: kind === 'file' ? InsertDriveFileRounded : FolderRounded,
    mirrored: file?.readOnly ?? folder?.readOnly ?? false,
    run: kind === 'file' ? readingAddress(zoneId, id) : `/zones/${zoneId}/folders/${id}`,
  };
}
