import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import type { WebhookStatus } from '../senders';

const webhookStatuses: WebhookStatus[] = ['pending', 'completed', 'failed'];

/** Filters the deliveries by search text and state. */
export function WebhookLogFilters() {
  const { t } = useTranslation('integrations');
  const { filterValues, setFilters } = useListContext();
  const { q = '', status = '' } = filterValues as { q?: string; status?: WebhookStatus };
  const [searchText, setSearchText] = useState(q);
  const [appliedQuery, setAppliedQuery] = useState(q);
  // The search was changed from outside, for example by "clear filters" or the back button.
  if (q !== appliedQuery) {
    setAppliedQuery(q);
    if (q !== searchText.trim()) setSearchText(q);
  }
  const applyFilters = (next: { q: string; status: string }, debounced: boolean) =>
    setFilters({ ...(next.q && { q: next.q }), ...(next.status && { status: next.status }) }, undefined, debounced);
  const changeSearch = (text: string) => {
    setSearchText(text);
    applyFilters({ q: text.trim(), status }, true);
  };
  return (
    <Box role="search" aria-label={t('logs.search')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
      <OutlinedInput
        type="search"
        value={searchText}
        onChange={(event) => changeSearch(event.target.value)}
        placeholder={t('logs.search')}
        startAdornment={
          <InputAdornment position="start">
            <SearchRounded />
          </InputAdornment>
        }
        slotProps={{ input: { 'aria-label': t('logs.search'), maxLength: 200 } }}
        sx={{ flex: '1 1 240px', maxWidth: { sm: 400 } }}
      />
      <Select
        native
        value={status}
        onChange={(event) => applyFilters({ q: searchText.trim(), status: event.target.value }, false)}
        inputProps={{ 'aria-label': t('logs.status') }}
        sx={{ flex: { xs: '1 1 100%', sm: '0 0 auto' } }}
      >
        <option value="">{t('logs.anyState')}</option>
        {webhookStatuses.map((webhookStatus) => (
          <option key={webhookStatus} value={webhookStatus}>
            {t(`logs.states.${webhookStatus}`)}
          </option>
        ))}
      </Select>
    </Box>
  );
}
