import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PublicCheckbox } from '../../../shared/public-ui/public-checkbox';
import { characterKeys, useCharacterKeys } from '../../../shared/preferences/character-keys';
import type { ReaderView } from './use-reader-view';

const shortcuts = [
  { keys: ['+', '-'], text: 'zoom' },
  { keys: ['0'], text: 'fit' },
  { keys: ['r'], text: 'rotate' },
  { keys: ['f'], text: 'full' },
  { keys: ['g'], text: 'goTo' },
  { keys: ['Ctrl F', '⌘ F', '/'], text: 'find' },
  { keys: ['Enter', 'F3'], text: 'findNext' },
  { keys: ['Shift Enter', 'Shift F3'], text: 'findPrevious' },
  { keys: ['↑', '↓'], text: 'scroll' },
  { keys: ['Page Up', 'Page Down', 'Space'], text: 'screen' },
  { keys: ['Home', 'End'], text: 'ends' },
  { keys: ['←', '→'], text: 'sides' },
  { keys: ['Esc'], text: 'back' },
  { keys: ['?'], text: 'help' },
] as const;

/** List of keyboard shortcuts, opened by `?`. */
export function KeyboardShortcutsDialog({ dialogRef }: { dialogRef: ReaderView['helpDialogRef'] }) {
  const { t } = useTranslation('reader');
  const id = useId();
  const areCharacterKeysOn = useCharacterKeys();
  return (
    <dialog ref={dialogRef} className="z-reader-help" aria-labelledby={id}>
      <h2 id={id}>{t('keys.title')}</h2>
      <dl>
        {shortcuts.map(({ keys: keyLabels, text }) => (
          <div key={text}>
            <dt>
              {keyLabels.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${text}`)}</dd>
          </div>
        ))}
      </dl>
      <PublicCheckbox id={`${id}-signs`} checked={areCharacterKeysOn} onChange={(on) => characterKeys.set(on)}>
        {t('keys.signs')}
      </PublicCheckbox>
      <form method="dialog">
        <button type="submit" className="z-button">
          {t('close')}
        </button>
      </form>
    </dialog>
  );
}
