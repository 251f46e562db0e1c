import FindInPageRounded from '@mui/icons-material/FindInPageRounded';
import FolderRounded from '@mui/icons-material/FolderRounded';
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../shared/api/client';
import { searchHitUrl, readerUrl } from '../../shared/files/reader-navigation';
import { isSearchable, toSearchQuery, textSearchOptions } from '../../shared/files/text-search';
import { useDebounced } from '../../shared/hooks/use-debounced';
import { useFormat } from '../../shared/hooks/use-format';
import type { Command } from './commands';

const SEARCH_DEBOUNCE = 200;
const MAX_FILES = 12;

const MAX_DOCUMENTS = 8;

/** Files and folders in all zones whose names match, once typing stops. */
export function usePaletteSearch(query: string) {
  const q = useDebounced(query, SEARCH_DEBOUNCE);
  const { data, error, isFetching } = $api.useQuery(
    'get',
    '/api/search',
    { params: { query: { q, limit: MAX_FILES } } },
    { enabled: q !== '' && query !== '', placeholderData: keepPreviousData },
  );
  const hits = query === '' || q === '' ? [] : (data ?? []);
  const documentSearch = useDocumentSearch(query, q);
  return {
    results: [...hits.map(toCommand), ...documentSearch.results],
    error: query === '' ? null : error,
    documentsError: documentSearch.error,
    /** Not all documents were searched. */
    isPartial: documentSearch.isPartial,
    /** Documents are still being indexed. */
    isReading: documentSearch.isReading,
    isSearching: query !== '' && (isFetching || documentSearch.isPending || q !== query),
  };
}

/** Documents in all zones whose text matches. */
function useDocumentSearch(query: string, debouncedQuery: string) {
  const { t } = useTranslation('palette');
  const format = useFormat();
  const q = toSearchQuery(debouncedQuery);
  const isEnabled = isSearchable(q) && isSearchable(query);
  // Previous results are not kept: their links would carry the new query, which those pages may not contain.
  const { data, error, isPending } = $api.useQuery(
    'get',
    '/api/search/texts',
    { params: { query: { q, limit: MAX_DOCUMENTS } } },
    { ...textSearchOptions, enabled: isEnabled },
  );
  const hits = isEnabled ? (data?.hits ?? []) : [];
  const results = hits.map(({ id, name, zoneId, zoneName, page, around }): Command => ({
    id: `text-${zoneId}-${id}`,
    group: 'texts',
    name,
    detail: t('textDetail', { page: format.number(page), around, zone: zoneName }),
    icon: FindInPageRounded,
    run: searchHitUrl(zoneId, id, page, q),
  }));
  return {
    results,
    error: isEnabled ? error : null,
    isPartial: isEnabled && data?.isWhole === false,
    isReading: isEnabled && data?.isReading === true,
    isPending: isEnabled && isPending,
  };
}

function toCommand({ kind, id, name, zoneId, zoneName, path, file, folder }: Schema<'SearchHitDto'>): Command {
  return {
    id: `${kind}-${zoneId}-${id}`,
    group: 'found',
    name,
    detail: [zoneName, ...path.map((step) => step.name)].join(' / '),
    icon: kind === 'file' ? InsertDriveFileRounded : FolderRounded,
    isMirrored: file?.readOnly ?? folder?.readOnly ?? false,
    run: kind === 'file' ? readerUrl(zoneId, id) : `/zones/${zoneId}/folders/${id}`,
  };
}
