import CloseRounded from '@mui/icons-material/CloseRounded';
import SearchRounded from '@mui/icons-material/SearchRounded';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  text: string;
  onTextChange: (text: string) => void;
  onClear: () => void;
}

/** Searches the whole zone by name. The / key focuses it, Escape clears it. */
export function SearchField({ text, onTextChange, onClear }: Props) {
  const { t } = useTranslation('files');
  const inputRef = useRef<HTMLInputElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (text) onClear();
    else inputRef.current?.blur();
  };
  return (
    <OutlinedInput
      inputRef={inputRef}
      size="small"
      type="search"
      value={text}
      placeholder={t('search.inZone')}
      onChange={(event) => onTextChange(event.target.value)}
      onKeyDown={onKeyDown}
      inputProps={{
        'aria-label': t('search.inZone'),
        'aria-keyshortcuts': '/',
        'data-search-here': '',
        maxLength: 255,
      }}
      startAdornment={
        <InputAdornment position="start" sx={{ mr: 0 }}>
          <SearchRounded sx={{ color: 'text.secondary' }} />
        </InputAdornment>
      }
      endAdornment={
        text && (
          <InputAdornment position="end">
            <IconButton
              aria-label={t('search.clear')}
              edge="end"
              onClick={() => {
                onClear();
                inputRef.current?.focus();
              }}
            >
              <CloseRounded />
            </IconButton>
          </InputAdornment>
        )
      }
      sx={{
        flex: { xs: '1 1 100%', sm: '1 1 180px' },
        maxWidth: { sm: 260 },
        '& input::-webkit-search-cancel-button': { display: 'none' },
      }}
    />
  );
}
