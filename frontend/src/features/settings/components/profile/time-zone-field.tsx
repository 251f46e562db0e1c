import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import type { SxProps, Theme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { foldForSearch } from '../../../../shared/format/fold';
import { browserTimeZone, offsetOf, timeZones, wordsOf } from '../../time-zones';

interface Props {
  /** IANA name; null follows the browser. */
  value: string | null;
  onChange: (zone: string | null) => void;
}

interface Option {
  zone: string | null;
  name: string;
  region: string;
}

/** The time zone, found by typing a part of the place, the region or the distance from Greenwich. */
export function TimeZoneField({ value, onChange }: Props) {
  const { t } = useTranslation('settings');
  const id = useId();
  const options = useOptions(value);
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
        isOptionEqualToValue={(option, chosen) => option.zone === chosen.zone}
        filterOptions={matching}
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
        slotProps={{ paper: { sx: floating }, listbox: { sx: list } }}
        sx={field}
        renderInput={(params) => <TextField {...params} />}
      />
      <FormHelperText sx={{ mx: 0 }}>{t('region.zoneHelp')}</FormHelperText>
    </Box>
  );
}

const field: SxProps<Theme> = {
  '& .MuiOutlinedInput-root.MuiInputBase-root': { py: 0, pl: 3 },
  '& .MuiOutlinedInput-root .MuiInputBase-input': { px: 0, py: 1.5 },
};

const floating: SxProps<Theme> = (theme) => ({
  mt: 1,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  boxShadow: theme.vars.palette.float,
});

const list: SxProps<Theme> = {
  maxHeight: 320,
  p: 1,
  '& .MuiAutocomplete-option': { minHeight: 36, px: 2, borderRadius: 1, gap: 3 },
};

function useOptions(value: string | null): Option[] {
  const { t } = useTranslation('settings');
  return useMemo(() => {
    const now = new Date();
    const nameOf = (zone: string) => `${wordsOf(zone).place} (${offsetOf(zone, now)})`;
    const browser = { zone: null, name: t('region.browser', { zone: nameOf(browserTimeZone()) }), region: '' };
    const all = timeZones(value).map((zone) => ({ zone, name: nameOf(zone), region: wordsOf(zone).region }));
    return [browser, ...all.sort((a, b) => a.region.localeCompare(b.region) || a.name.localeCompare(b.name))];
  }, [t, value]);
}

/** Those that hold every word that was typed, in the place, the region or the offset. */
function matching(options: Option[], { inputValue }: { inputValue: string }): Option[] {
  const words = foldForSearch(inputValue).split(/\s+/).filter(Boolean);
  return options.filter(({ name, region }) => {
    const text = foldForSearch(`${region} ${name}`);
    return words.every((word) => text.includes(word));
  });
}
