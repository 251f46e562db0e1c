import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DiscardChangesDialog } from '../../shared/forms/form-dialog';
import { unsavedChanges } from '../../shared/forms/unsaved-changes';

/** Asks before a page is left whose forms hold what was not saved; the browser asks in its own words when it is closed. */
export function UnsavedChangesDialog() {
  // Within a page an address changes by what is looked at; only the way back can take a form along.
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
