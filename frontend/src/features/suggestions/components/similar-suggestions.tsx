import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { Badge } from '../../../shared/ui/badge';
import { fieldLimits, toneByStatus } from '../suggestion';
import { VoteButton } from './vote-button';

const SEARCH_DEBOUNCE = 400;

/** Similar suggestions that can be voted for instead of submitting a duplicate. */
export function SimilarSuggestions({ title: currentTitle }: { title: string }) {
  const { t } = useTranslation('suggestions');
  const title = useDebounced(currentTitle.trim(), SEARCH_DEBOUNCE);
  const enabled = title.length >= fieldLimits.title.least && title.length <= fieldLimits.title.most;
  const { data } = $api.useQuery(
    'get',
    '/api/feature-suggestions/similar',
    { params: { query: { title } } },
    { enabled, placeholderData: keepPreviousData },
  );
  const similarSuggestions = enabled ? (data ?? []) : [];
  return (
    <Box role="status" sx={{ '&:empty': { display: 'none' } }}>
      {similarSuggestions.length > 0 && (
        <>
          <Typography variant="subtitle2" component="h3">
            {t('similar')}
          </Typography>
          <Box
            component="ul"
            aria-label={t('similar')}
            sx={{ display: 'grid', gap: 2, m: 0, mt: 2, p: 0, listStyle: 'none' }}
          >
            {similarSuggestions.map((suggestion) => (
              <Box key={suggestion.id} component="li" sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
                <VoteButton suggestion={suggestion} />
                <Box sx={{ minWidth: 0, display: 'grid', gap: 1, justifyItems: 'start' }}>
                  <Typography sx={{ overflowWrap: 'anywhere' }}>{suggestion.title}</Typography>
                  <Badge tone={toneByStatus[suggestion.status]}>{t(`status.${suggestion.status}`)}</Badge>
                </Box>
              </Box>
            ))}
          </Box>
        </>
      )}
    </Box>
  );
}
