import CloseRounded from '@mui/icons-material/CloseRounded';
import SearchRounded from '@mui/icons-material/SearchRounded';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useTranslation } from 'react-i18next';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const MAX_QUERY_LENGTH = 100;

/** Searches while typing. */
export function SearchField({ label, value, onChange }: Props) {
  const { t } = useTranslation('members');
  return (
    <OutlinedInput
      type="search"
      value={value}
      placeholder={label}
      onChange={(event) => onChange(event.target.value)}
      sx={{ flex: '1 1 220px', maxWidth: 360, 'input::-webkit-search-cancel-button': { display: 'none' } }}
      slotProps={{ input: { 'aria-label': label, maxLength: MAX_QUERY_LENGTH } }}
      startAdornment={
        <InputAdornment position="start">
          <SearchRounded />
        </InputAdornment>
      }
      endAdornment={
        value && (
          <InputAdornment position="end">
            <IconButton edge="end" size="small" aria-label={t('clearSearch')} onClick={() => onChange('')}>
              <CloseRounded />
            </IconButton>
          </InputAdornment>
        )
      }
    />
  );
}
