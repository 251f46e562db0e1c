import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Tab from '@mui/material/Tab';
import { useTranslation } from 'react-i18next';
import { ScrollableTabs } from '../../../shared/ui/scrollable-tabs';
import { sorts, statuses, type Sort, type SuggestionStatus } from '../suggestion';

interface Props {
  status: SuggestionStatus | '';
  sort: Sort;
  q: string;
  onStatusChange: (status: SuggestionStatus | '') => void;
  onSortChange: (sort: Sort) => void;
  onSearch: (q: string) => void;
  /** ID of the list that the tabs control. */
  panelId: string;
}

export const boardTabId = (status: SuggestionStatus | '') => `suggestions-${status || 'all'}`;

/** Filter and order of the suggestions on the board. */
export function BoardFilters({ status, sort, q, onStatusChange, onSortChange, onSearch, panelId }: Props) {
  const { t } = useTranslation('suggestions');
  return (
    <Box sx={{ display: 'grid', gap: 4, mb: 4 }}>
      <ScrollableTabs
        value={status || 'all'}
        aria-label={t('tabs')}
        onChange={(_, value: SuggestionStatus | 'all') => onStatusChange(value === 'all' ? '' : value)}
      >
        {(['', ...statuses] as const).map((option) => (
          <Tab
            key={option}
            id={boardTabId(option)}
            value={option || 'all'}
            label={t(`status.${option || 'all'}`)}
            aria-controls={option === status ? panelId : undefined}
          />
        ))}
      </ScrollableTabs>
      <Box role="search" aria-label={t('search')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <OutlinedInput
          type="search"
          value={q}
          onChange={(event) => onSearch(event.target.value)}
          placeholder={t('search')}
          startAdornment={
            <InputAdornment position="start">
              <SearchRounded />
            </InputAdornment>
          }
          slotProps={{ input: { 'aria-label': t('search'), maxLength: 200 } }}
          sx={{ flex: '1 1 240px', maxWidth: { sm: 400 } }}
        />
        <Select
          native
          value={sort}
          onChange={(event) => onSortChange(event.target.value as Sort)}
          inputProps={{ 'aria-label': t('sortBy') }}
          sx={{ flex: { xs: '1 1 100%', sm: '0 0 auto' }, ml: { sm: 'auto' } }}
        >
          {sorts.map((option) => (
            <option key={option} value={option}>
              {t(`sort.${option}`)}
            </option>
          ))}
        </Select>
      </Box>
    </Box>
  );
}
