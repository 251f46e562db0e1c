import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { NavigationState } from '../../../shared/hooks/navigation-state';
import { resources, type ResourceName } from '../../resources';

interface RecordState extends NavigationState {
  /** The record was opened from its list, so that going back closes it. */
  isOpenedFromList: boolean;
}

const recordState: RecordState = { isOpenedFromList: true, opensDialog: true };

/** Id of the element that links to a record in its list. */
export const toRecordLinkId = (id: number | string) => `record-${id}`;

/** Returns the address of a record, with the list's filters, and the state to navigate with. */
export function useRecordAddress(resource: ResourceName) {
  const { search } = useLocation();
  return (id: number | string) => ({
    to: { pathname: `${resources[resource].page}/${id}`, search },
    state: recordState,
  });
}

/** Opens a record in the drawer beside its list. */
export function useOpenRecord(resource: ResourceName) {
  const navigate = useNavigate();
  const getAddress = useRecordAddress(resource);
  return (id: number | string) => {
    const { to, state } = getAddress(id);
    void navigate(to, { state, preventScrollReset: true });
  };
}

/** Returns to the list: back in the history if the record was opened from there. */
export function useCloseRecord(resource: ResourceName) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  return () => {
    if ((state as RecordState | null)?.isOpenedFromList) void navigate(-1);
    else void navigate({ pathname: resources[resource].page, search }, { replace: true, preventScrollReset: true });
  };
}

/** Returns the focus to the list's link to the record once that is closed. */
export function useReturnFocus(id: string | undefined) {
  useEffect(() => {
    if (id === undefined) return undefined;
    return () => document.getElementById(toRecordLinkId(id))?.focus({ preventScroll: true });
  }, [id]);
}
