import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import type { SxProps, Theme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { normaliseForSearch } from '../../../../shared/format/case-folding';
import { browserTimeZone, getUtcOffset, listTimeZones, splitTimeZone } from '../../time-zones';

interface Props {
  /** IANA name; null follows the browser. */
  value: string | null;
  onChange: (zone: string | null) => void;
}

interface TimeZoneOption {
  zone: string | null;
  name: string;
  region: string;
}

/** Time zone select, searchable by place, region or UTC offset. */
export function TimeZoneField({ value, onChange }: Props) {
  const { t } = useTranslation('settings');
  const id = useId();
  const options = useTimeZoneOptions(value);
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {t('region.zone')}
      </Typography>
      <Autocomplete
        id={id}
        options={options}
        value={options.find(({ zone }) => zone === value) ?? options[0]!}
        disableClearable
        autoHighlight
        getOptionLabel={({ name }) => name}
        getOptionKey={({ zone }) => zone ?? ''}
        isOptionEqualToValue={(option, selected) => option.zone === selected.zone}
        filterOptions={filterOptions}
        noOptionsText={t('region.noneFound')}
        onChange={(_event, { zone }) => zone !== value && onChange(zone)}
        disablePortal
        renderOption={({ key, ...props }, { name, region }) => (
          <Box component="li" key={key} {...props}>
            <Box sx={{ flex: 1 }}>{name}</Box>
            <Typography variant="body2" color="textSecondary">
              {region}
            </Typography>
          </Box>
        )}
        slotProps={{ paper: { sx: paperStyles }, listbox: { sx: listboxStyles } }}
        sx={fieldStyles}
        renderInput={(params) => <TextField {...params} />}
      />
      <FormHelperText sx={{ mx: 0 }}>{t('region.zoneHelp')}</FormHelperText>
    </Box>
  );
}

const fieldStyles: SxProps<Theme> = {
  '& .MuiOutlinedInput-root.MuiInputBase-root': { py: 0, pl: 3 },
  '& .MuiOutlinedInput-root .MuiInputBase-input': { px: 0, py: 1.5 },
};

const paperStyles: SxProps<Theme> = (theme) => ({
  mt: 1,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  boxShadow: theme.vars.palette.float,
});

const listboxStyles: SxProps<Theme> = {
  maxHeight: 320,
  p: 1,
  '& .MuiAutocomplete-option': { minHeight: 36, px: 2, borderRadius: 1, gap: 3 },
};

function useTimeZoneOptions(value: string | null): TimeZoneOption[] {
  const { t } = useTranslation('settings');
  const [now] = useState(() => new Date());
  return useMemo(() => {
    const formatZoneName = (zone: string) => `${splitTimeZone(zone).place} (${getUtcOffset(zone, now)})`;
    const browserOption = {
      zone: null,
      name: t('region.browser', { zone: formatZoneName(browserTimeZone()) }),
      region: '',
    };
    const zoneOptions = listTimeZones(value).map((zone) => ({
      zone,
      name: formatZoneName(zone),
      region: splitTimeZone(zone).region,
    }));
    return [
      browserOption,
      ...zoneOptions.sort((a, b) => a.region.localeCompare(b.region) || a.name.localeCompare(b.name)),
    ];
  }, [t, value, now]);
}

/** Returns the options that contain every typed word in the place, region or offset. */
function filterOptions(options: TimeZoneOption[], { inputValue }: { inputValue: string }): TimeZoneOption[] {
  const words = normaliseForSearch(inputValue).split(/\s+/).filter(Boolean);
  return options.filter(({ name, region }) => {
    const text = normaliseForSearch(`${region} ${name}`);
    return words.every((word) => text.includes(word));
  });
}
