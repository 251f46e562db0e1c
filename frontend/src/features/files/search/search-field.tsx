import CloseRounded from '@mui/icons-material/CloseRounded';
import SearchRounded from '@mui/icons-material/SearchRounded';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../../../shared/hooks/use-narrow';

interface Props {
  text: string;
  onText: (text: string) => void;
  onClear: () => void;
}

/** Searches the whole zone by name; on a phone it opens by a button, and closes again when it is left empty. */
export function SearchField(props: Props) {
  const { t } = useTranslation('files');
  const narrow = useNarrow();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isField = !narrow || opened || props.text !== '';
  const before = useRef(isField);
  useEffect(() => {
    const hasClosed = before.current && !isField;
    before.current = isField;
    // Whoever leaves the field by the keyboard is where they came from.
    if (hasClosed && document.activeElement === document.body) button.current?.focus();
  }, [isField]);
  if (isField) return <Field {...props} takesFocus={opened} onFocus={setOpened} />;
  return (
    <IconButton ref={button} aria-label={t('search.inZone')} onClick={() => setOpened(true)}>
      <SearchRounded />
    </IconButton>
  );
}

interface FieldProps extends Props {
  takesFocus: boolean;
  onFocus: (hasFocus: boolean) => void;
}

/** The key / leads to it, Escape empties it. */
function Field({ text, onText, onClear, takesFocus, onFocus }: FieldProps) {
  const { t } = useTranslation('files');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (text) onClear();
    else input.current?.blur();
  };
  return (
    <OutlinedInput
      inputRef={input}
      size="small"
      type="search"
      value={text}
      placeholder={t('search.inZone')}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
      onFocus={() => onFocus(true)}
      onBlur={() => onFocus(false)}
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
                input.current?.focus();
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
