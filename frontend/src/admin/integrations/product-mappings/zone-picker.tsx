import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';

export type MappableZone = Schema<'ZoneChoiceDto'>;

const DEBOUNCE_DELAY = 250;

interface Props {
  id: string;
  value: MappableZone | null;
  error?: string;
  onChange: (zone: MappableZone | null) => void;
}

/** Searches all zones on the server, by part of the name or by id. */
export function ZonePicker({ id, value, error, onChange }: Props) {
  const { t } = useTranslation('integrations');
  const { t: tCommon } = useTranslation();
  const translate = useTranslate();
  const [searchText, setSearchText] = useState('');
  const q = useDebounced(value && searchText === value.name ? '' : searchText, DEBOUNCE_DELAY);
  const zones = useGetList<MappableZone>('mappable-zones', { filter: { q } });
  const helpText = error ?? t('mappings.zoneHelp');
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {t('mappings.zone')}
      </Typography>
      <Autocomplete
        id={id}
        value={value}
        inputValue={searchText}
        options={zones.data ?? []}
        // The server has already filtered them, also by id.
        filterOptions={(options) => options}
        loading={zones.isPending}
        loadingText={tCommon('loading')}
        noOptionsText={zones.error ? t('mappings.zoneFailed') : t('mappings.zoneNone')}
        openText={translate('ra.action.open')}
        closeText={translate('ra.action.close')}
        clearText={translate('ra.action.clear_input_value')}
        getOptionLabel={({ name }) => name}
        getOptionKey={(zone) => zone.id}
        isOptionEqualToValue={(option, selected) => option.id === selected.id}
        onInputChange={(_, text) => setSearchText(text)}
        onChange={(_, zone) => onChange(zone)}
        renderOption={({ key, ...props }, zone) => <ZoneOption key={key} zone={zone} {...props} />}
        renderInput={({ slotProps }) => (
          <OutlinedInput
            {...slotProps.input}
            fullWidth
            error={Boolean(error)}
            placeholder={t('mappings.zonePlaceholder')}
            slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': `${id}-note` } }}
          />
        )}
      />
      <FormHelperText id={`${id}-note`} error={Boolean(error)} sx={{ mx: 0 }}>
        {helpText}
      </FormHelperText>
    </Box>
  );
}

function ZoneOption({ zone, ...props }: { zone: MappableZone } & React.HTMLAttributes<HTMLLIElement>) {
  const { t } = useTranslation('integrations');
  return (
    <Box component="li" {...props}>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography>{t('logs.zoneWithId', { name: zone.name, id: zone.id })}</Typography>
        <Typography variant="caption" color="textSecondary">
          {zone.ownerEmail} · {t(`mappings.${zone.type}`)}
        </Typography>
      </Box>
    </Box>
  );
}
