import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DiscardQuestion } from '../../shared/forms/form-dialog';
import { unsaved } from '../../shared/forms/unsaved';

/** Asks before a page is left whose forms hold what was not saved; the browser asks in its own words when it is closed. */
export function LeaveQuestion() {
  // Within a page an address changes by what is looked at; only the way back can take a form along.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      unsaved.any() && (historyAction === 'POP' || currentLocation.pathname !== nextLocation.pathname),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (unsaved.any()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
  const discard = () => {
    unsaved.letGo();
    blocker.proceed?.();
  };
  return <DiscardQuestion open={blocker.state === 'blocked'} onDiscard={discard} onStay={() => blocker.reset?.()} />;
}
