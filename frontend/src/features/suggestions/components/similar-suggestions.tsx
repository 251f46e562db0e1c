import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { Badge } from '../../../shared/ui/badge';
import { bounds, statusTones } from '../suggestion';
import { VoteButton } from './vote-button';

const typingPause = 400;

/** What others suggested in like words, to be voted for in the place of suggesting it again. */
export function SimilarSuggestions({ title: typed }: { title: string }) {
  const { t } = useTranslation('suggestions');
  const title = useDebounced(typed.trim(), typingPause);
  const enabled = title.length >= bounds.title.least && title.length <= bounds.title.most;
  const { data } = $api.useQuery(
    'get',
    '/api/feature-suggestions/similar',
    { params: { query: { title } } },
    { enabled, placeholderData: keepPreviousData },
  );
  const found = enabled ? (data ?? []) : [];
  return (
    <Box role="status" sx={{ '&:empty': { display: 'none' } }}>
      {found.length > 0 && (
        <>
          <Typography variant="subtitle2" component="h3">
            {t('similar')}
          </Typography>
          <Box
            component="ul"
            aria-label={t('similar')}
            sx={{ display: 'grid', gap: 2, m: 0, mt: 2, p: 0, listStyle: 'none' }}
          >
            {found.map((suggestion) => (
              <Box key={suggestion.id} component="li" sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
                <VoteButton suggestion={suggestion} />
                <Box sx={{ minWidth: 0, display: 'grid', gap: 1, justifyItems: 'start' }}>
                  <Typography sx={{ overflowWrap: 'anywhere' }}>{suggestion.title}</Typography>
                  <Badge tone={statusTones[suggestion.status]}>{t(`status.${suggestion.status}`)}</Badge>
                </Box>
              </Box>
            ))}
          </Box>
        </>
      )}
    </Box>
  );
}
