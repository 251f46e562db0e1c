import FindInPageRounded from '@mui/icons-material/FindInPageRounded';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { $api, type Schema } from '../../../shared/api/client';
import { searchHitUrl } from '../../../shared/files/reader-navigation';
import { isSearchable, toSearchQuery, textSearchOptions } from '../../../shared/files/text-search';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';

/** Searches the pages of a zone's documents; `isEnabled` is false if the query is too short. */
export function useDocumentSearch(zoneId: number, query: string) {
  const q = toSearchQuery(query);
  const isEnabled = isSearchable(q);
  // Results of another query aren't kept meanwhile: they would link to pages that may not contain the new words.
  const { data, error, isPending } = $api.useQuery(
    'get',
    '/api/zones/{id}/search/texts',
    { params: { path: { id: zoneId }, query: { q } } },
    { ...textSearchOptions, enabled: isEnabled },
  );
  return {
    q,
    isEnabled,
    isPending: isEnabled && isPending,
    ...(isEnabled ? { data, error } : { data: undefined, error: null }),
  };
}

interface Props {
  zoneId: number;
  search: ReturnType<typeof useDocumentSearch>;
}

/** Documents whose text matches, each linking to its first matching page. */
export function DocumentResults({ zoneId, search: { q, data, error } }: Props) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const hits = data?.hits ?? [];
  const isPartial = data?.isWhole === false;
  const isReading = data?.isReading === true;
  if (hits.length === 0 && !isPartial && !isReading && !error) return null;
  return (
    <Box component="section" aria-label={t('search.inTexts')} sx={{ mt: 6 }}>
      <Typography variant="h3" component="h3" sx={{ mb: 3 }}>
        {t('search.inTexts')}
      </Typography>
      {error && (
        <Typography role="alert" color="error">
          {t('search.textsFailed')}: {errorText(error)}
        </Typography>
      )}
      {hits.length > 0 && (
        <Card component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {hits.map((hit) => (
            <DocumentResult key={hit.id} hit={hit} url={searchHitUrl(zoneId, hit.id, hit.page, q)} />
          ))}
        </Card>
      )}
      {isPartial && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
          {t('search.partial')}
        </Typography>
      )}
      {isReading && (
        <Typography role="status" variant="body2" color="textSecondary" sx={{ mt: 2 }}>
          {t('search.reading')}
        </Typography>
      )}
    </Box>
  );
}

function DocumentResult({ hit, url }: { hit: Schema<'DocumentHitDto'>; url: string }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { name, page, pages, around } = hit;
  const pageTexts = [
    t('search.onPage', { page: format.number(page) }),
    ...(pages > 1 ? [t('search.morePages', { count: pages - 1, formatted: format.number(pages - 1) })] : []),
  ];
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'flex',
        gap: 3,
        px: 4,
        py: 3,
        '& + li': { borderTop: 1, borderColor: 'divider' },
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <FindInPageRounded aria-hidden sx={{ color: 'text.secondary' }} />
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link
          component={RouterLink}
          to={url}
          color="inherit"
          underline="hover"
          variant="subtitle2"
          sx={{ '&::after': { content: '""', position: 'absolute', inset: 0 } }}
        >
          {name}
        </Link>
        <Typography variant="body2" color="textSecondary">
          {pageTexts.join(' ')}
        </Typography>
        <Typography variant="body2">{around}</Typography>
      </Box>
    </Box>
  );
}
