import FindInPageRounded from '@mui/icons-material/FindInPageRounded';
import FolderRounded from '@mui/icons-material/FolderRounded';
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../shared/api/client';
import { foundAddress, readingAddress } from '../../shared/files/reading';
import { isLongEnough, searchedText, textSearchOptions } from '../../shared/files/text-search';
import { useDebounced } from '../../shared/hooks/use-debounced';
import { useFormat } from '../../shared/hooks/use-format';
import type { Command } from './commands';

const settleMs = 200;
const most = 12;

const mostTexts = 8;

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
  const inTexts = useFoundInTexts(typed, q);
  return {
    found: [...hits.map(toCommand), ...inTexts.found],
    error: typed === '' ? null : error,
    textsError: inTexts.error,
    /** Not all documents were searched. */
    isPartial: inTexts.isPartial,
    /** Texts of documents are still being read. */
    isReading: inTexts.isReading,
    searching: typed !== '' && (isFetching || inTexts.isPending || q !== typed),
  };
}

/** Documents of all zones whose pages say what was typed. */
function useFoundInTexts(typed: string, settled: string) {
  const { t } = useTranslation('palette');
  const format = useFormat();
  const q = searchedText(settled);
  const isAsked = isLongEnough(q) && isLongEnough(typed);
  // What was found for other words is not kept meanwhile: it would lead to the new ones, which its pages may not hold.
  const { data, error, isPending } = $api.useQuery(
    'get',
    '/api/search/texts',
    { params: { query: { q, limit: mostTexts } } },
    { ...textSearchOptions, enabled: isAsked },
  );
  const hits = isAsked ? (data?.hits ?? []) : [];
  const found = hits.map(({ id, name, zoneId, zoneName, page, around }): Command => ({
    id: `text-${zoneId}-${id}`,
    group: 'texts',
    name,
    detail: t('textDetail', { page: format.number(page), around, zone: zoneName }),
    icon: FindInPageRounded,
    run: foundAddress(zoneId, id, page, q),
  }));
  return {
    found,
    error: isAsked ? error : null,
    isPartial: isAsked && data?.isWhole === false,
    isReading: isAsked && data?.isReading === true,
    isPending: isAsked && isPending,
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
