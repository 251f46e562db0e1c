import CloseRounded from '@mui/icons-material/CloseRounded';
import SearchRounded from '@mui/icons-material/SearchRounded';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsMobile } from '../../../shared/hooks/use-is-mobile';

interface Props {
  text: string;
  onTextChange: (text: string) => void;
  onClear: () => void;
}

/** Searches the whole zone by name. On a phone a button opens the field, and it closes when it is left empty. */
export function SearchField(props: Props) {
  const { t } = useTranslation('files');
  const isMobile = useIsMobile();
  const [isOpen, setIsOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const isFieldShown = !isMobile || isOpen || props.text !== '';
  const wasFieldShownRef = useRef(isFieldShown);
  useEffect(() => {
    const hasClosed = wasFieldShownRef.current && !isFieldShown;
    wasFieldShownRef.current = isFieldShown;
    // Leaving the field by keyboard already moved the focus elsewhere.
    if (hasClosed && document.activeElement === document.body) buttonRef.current?.focus();
  }, [isFieldShown]);
  if (isFieldShown) return <SearchInput {...props} shouldFocus={isOpen} onFocusChange={setIsOpen} />;
  return (
    <IconButton ref={buttonRef} aria-label={t('search.inZone')} onClick={() => setIsOpen(true)}>
      <SearchRounded />
    </IconButton>
  );
}

interface SearchInputProps extends Props {
  shouldFocus: boolean;
  onFocusChange: (hasFocus: boolean) => void;
}

/** The / key focuses it, Escape clears it. */
function SearchInput({ text, onTextChange, onClear, shouldFocus, onFocusChange }: SearchInputProps) {
  const { t } = useTranslation('files');
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (shouldFocus) inputRef.current?.focus();
  }, [shouldFocus]);
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
      onFocus={() => onFocusChange(true)}
      onBlur={() => onFocusChange(false)}
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
