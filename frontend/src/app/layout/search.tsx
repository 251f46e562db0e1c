import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { characterKeys } from '../../shared/preferences/character-keys';
import { lazyPage } from '../loading/lazy-page';

const Palette = lazyPage(() => import('../palette/palette').then((m) => m.Palette), ['palette']);

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * The way to everything by name: a field in the top bar, Ctrl or ⌘ with K anywhere, and / where the page has no search
 * of its own.
 */
export function Search({ wide }: { wide: boolean }) {
  const { t } = useTranslation();
  const { begin, palette } = usePalette();
  return (
    <>
      {wide ? (
        <ButtonBase
          onClick={begin}
          onPointerEnter={() => void Palette.preload()}
          aria-haspopup="dialog"
          aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
          sx={{
            justifyContent: 'flex-start',
            gap: 2,
            flex: '0 1 360px',
            minHeight: 36,
            px: 3,
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            bgcolor: 'background.paper',
            color: 'text.secondary',
            typography: 'body1',
            '&:hover': { bgcolor: 'hover' },
          }}
        >
          <SearchRounded />
          <Box component="span" sx={{ flex: 1, textAlign: 'left', whiteSpace: 'nowrap', overflow: 'hidden' }}>
            {t('search.everywhere')}
          </Box>
          <Box component="kbd" aria-hidden sx={{ typography: 'caption', fontFamily: 'inherit' }}>
            {isApple ? '⌘K' : 'Ctrl K'}
          </Box>
        </ButtonBase>
      ) : (
        <IconButton aria-label={t('search.everywhere')} aria-haspopup="dialog" onClick={begin}>
          <SearchRounded />
        </IconButton>
      )}
      {palette}
    </>
  );
}

/** The same where no bar stands above the page: by its keys alone. */
export function SearchByKeys() {
  return usePalette().palette;
}

function usePalette() {
  const [open, setOpen] = useState(false);
  // What it is made of is loaded when it is first wanted, and stays then for its way out.
  const [wanted, setWanted] = useState(false);
  const begin = () => {
    setWanted(true);
    setOpen(true);
  };
  useSearchKeys(begin);
  const palette = wanted && (
    <Suspense fallback={null}>
      <Palette open={open} onClose={() => setOpen(false)} />
    </Suspense>
  );
  return { begin, palette };
}

function useSearchKeys(begin: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.shiftKey) return;
      const command = event.ctrlKey || event.metaKey;
      if (command && event.key.toLowerCase() === 'k') begin();
      else if (!command && event.key === '/' && characterKeys.get() && !isTaken(event.target)) {
        const here = document.querySelector<HTMLInputElement>('input[data-search-here]');
        if (here) here.focus();
        else begin();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [begin]);
}

const takers = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]';

/**
 * Where a letter belongs to what is written, or to an open dialog or menu: those hold the focus while they are open, and
 * give it back before they have faded out.
 */
function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(takers) !== null;
}
