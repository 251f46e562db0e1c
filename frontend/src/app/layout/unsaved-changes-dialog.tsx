import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DiscardChangesDialog } from '../../shared/forms/form-dialog';
import { unsavedChanges } from '../../shared/forms/unsaved-changes';

/** Asks before leaving a page with unsaved forms; when the tab is closed, the browser shows its own dialog. */
export function UnsavedChangesDialog() {
  // Navigation within the same path keeps forms mounted. Going back may unmount them.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      unsavedChanges.hasAny() && (historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname),
  );
  useEffect(() => {
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      if (unsavedChanges.hasAny()) event.preventDefault();
    };
    addEventListener('beforeunload', handleBeforeUnload);
    return () => removeEventListener('beforeunload', handleBeforeUnload);
  }, []);
  const discard = () => {
    unsavedChanges.discardAll();
    blocker.proceed?.();
  };
  return (
    <DiscardChangesDialog
      open={blocker.state === 'blocked'}
      onDiscard={discard}
      onKeepEditing={() => blocker.reset?.()}
    />
  );
}
