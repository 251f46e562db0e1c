import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { characterKeys } from '../../shared/preferences/character-keys';
import { lazyPage } from '../loading/lazy-page';

const CommandPalette = lazyPage(() => import('../palette/command-palette').then((m) => m.CommandPalette), ['palette']);

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Global search: a field in the top bar, Ctrl+K or ⌘K anywhere, and `/` on pages without their own search. */
export function GlobalSearch({ isWide }: { isWide: boolean }) {
  const { t } = useTranslation();
  const { openPalette, palette } = useCommandPalette();
  return (
    <>
      {isWide ? (
        <ButtonBase
          onClick={openPalette}
          onPointerEnter={() => void CommandPalette.preload()}
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
        <IconButton aria-label={t('search.everywhere')} aria-haspopup="dialog" onClick={openPalette}>
          <SearchRounded />
        </IconButton>
      )}
      {palette}
    </>
  );
}

/** Only the keyboard shortcuts, for pages without a top bar. */
export function SearchShortcuts() {
  return useCommandPalette().palette;
}

function useCommandPalette() {
  const [isOpen, setIsOpen] = useState(false);
  // The palette is loaded when first opened and stays mounted for its closing transition.
  const [wasOpened, setWasOpened] = useState(false);
  const openPalette = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  useSearchShortcuts(openPalette);
  const palette = wasOpened && (
    <Suspense fallback={null}>
      <CommandPalette open={isOpen} onClose={() => setIsOpen(false)} />
    </Suspense>
  );
  return { openPalette, palette };
}

function useSearchShortcuts(openPalette: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.shiftKey) return;
      const hasModifier = event.ctrlKey || event.metaKey;
      if (hasModifier && event.key.toLowerCase() === 'k') openPalette();
      else if (!hasModifier && event.key === '/' && characterKeys.get() && !isExcludedTarget(event.target)) {
        const pageSearchField = document.querySelector<HTMLInputElement>('input[data-search-here]');
        if (pageSearchField) pageSearchField.focus();
        else openPalette();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [openPalette]);
}

const EXCLUDED_TARGETS = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]';

/**
 * Where a letter belongs to text input or to an open dialog or menu. Those keep the focus while open and return it
 * before they have faded out.
 */
function isExcludedTarget(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(EXCLUDED_TARGETS) !== null;
}
