import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError, hasCode } from '../../../shared/api/api-error';
import { useCurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useCreateCampaign, useFetchCampaign, useUpdateCampaign, type Campaign } from '../api/use-campaigns';
import { unsavedDraftStorage } from './unsaved-draft-storage';
import {
  emptyDraft,
  toRequestBody,
  isSavableDraft,
  isSameContent,
  draftContentOf,
  type DraftContent,
} from './draft-content';

const AUTOSAVE_DELAY = 1500;
const RETRY_DELAY = 15_000;

/**
 * State of a draft being edited. Changes are kept in the tab immediately and saved to the server shortly after the last
 * change. Saves run one after another, so that a new draft is created only once.
 */
export function useDraft(campaign: Campaign | null, sessionKey: string) {
  const saveToServer = useSaveToServer(sessionKey);
  const fetchCampaign = useFetchCampaign();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [initialState] = useState(() => initialStateOf(campaign, query.get('zone')));
  const [content, setContent] = useState<DraftContent>(initialState.initialContent);
  const [failure, setFailure] = useSaveError();
  const [hasConflict, setHasConflict] = useState(initialState.isStale);
  const [saved, setSaved] = useState<DraftContent | null>(campaign && initialState.server);
  const state = useRef({
    content: initialState.initialContent,
    base: initialState.base,
    saved: campaign && initialState.server,
    campaign,
  });
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const updateContent = (part: Partial<DraftContent>) => {
    const next = { ...state.current.content, ...part };
    state.current.content = next;
    const { campaign: known, base } = state.current;
    unsavedDraftStorage.set(known?.id ?? null, { wording: next, base });
    setContent(next);
    setFailure(null);
  };

  const saveOnce = async (): Promise<Campaign> => {
    const { content: now, saved: before, campaign: known } = state.current;
    if (known && before && isSameContent(now, before)) return known;
    const savedCampaign = await saveToServer(known, now);
    unsavedDraftStorage.remove(known?.id ?? null);
    state.current = { ...state.current, saved: now, base: savedCampaign.updatedAt, campaign: savedCampaign };
    // Changes made during the request aren't saved yet.
    const { content: newer } = state.current;
    if (!isSameContent(newer, now))
      unsavedDraftStorage.set(savedCampaign.id, { wording: newer, base: savedCampaign.updatedAt });
    setSaved(now);
    return savedCampaign;
  };

  /** Saves the current content if it has changed, and returns the campaign. Throws the server's errors. */
  const save = (): Promise<Campaign> => {
    const run = queue.current.then(saveOnce);
    queue.current = run.catch((error: unknown) => {
      if (hasCode(error, 'CAMPAIGN_CHANGED')) setHasConflict(true);
      else setFailure(error);
    });
    return run;
  };

  const hasChanges = saved === null ? !isSameContent(content, initialState.server) : !isSameContent(content, saved);
  const isSavePending = hasChanges && failure.text === null && !hasConflict && isSavableDraft(content);

  useEffect(() => {
    if (!isSavePending) return;
    const timer = setTimeout(() => void save().catch(() => undefined), AUTOSAVE_DELAY);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- each change restarts the debounce
  }, [isSavePending, content]);

  /** Overwrites the version saved elsewhere with the local one. */
  const overwriteRemote = async () => {
    const remoteCampaign = await fetchCampaign(state.current.campaign!.id);
    state.current = {
      ...state.current,
      base: remoteCampaign.updatedAt,
      campaign: remoteCampaign,
      saved: draftContentOf(remoteCampaign),
    };
    setHasConflict(false);
    await save();
  };

  /** Discards the local version in favour of the one saved elsewhere. */
  const discardLocal = async () => {
    const { id } = await fetchCampaign(state.current.campaign!.id);
    unsavedDraftStorage.remove(id);
    await navigate(`/campaigns/${id}`, { replace: true, state: { composing: `again-${Date.now()}` } });
  };

  const conflict = hasConflict ? { overwriteRemote, discardLocal } : null;
  const reportConflict = () => setHasConflict(true);
  return {
    content,
    updateContent,
    save,
    hasChanges,
    isSavePending,
    failure: failure.text,
    conflict,
    reportConflict,
    isSaved: saved !== null,
  };
}

/**
 * Returns the initial state: unsaved changes of this tab, otherwise the server's version. `isStale` means that the
 * unsaved changes are based on an older version, so the user must choose between the two.
 */
function initialStateOf(campaign: Campaign | null, zone: string | null) {
  const now = campaign?.updatedAt ?? null;
  const server = campaign ? draftContentOf(campaign) : { ...emptyDraft, zoneId: zone ?? '' };
  const storedDraft = unsavedDraftStorage.get(campaign?.id ?? null);
  // If a save succeeded although its response was lost, both versions are equal.
  if (!storedDraft || isSameContent(storedDraft.wording, server))
    return { server, initialContent: server, base: now, isStale: false };
  // For a new draft, the zone in the URL takes precedence.
  const content = zone === null ? storedDraft.wording : { ...storedDraft.wording, zoneId: server.zoneId };
  return { server, initialContent: content, base: storedDraft.base, isStale: storedDraft.base !== now };
}

/**
 * Holds the error of the last save, as text. Transient errors are cleared after a while, when the browser is back
 * online, or once the user has signed in again; saving then resumes.
 */
function useSaveError() {
  const errorText = useErrorText();
  const isSignedIn = Boolean(useCurrentUser().data);
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn);
  const [error, setError] = useState<unknown>(null);
  if (isSignedIn !== wasSignedIn) {
    setWasSignedIn(isSignedIn);
    if (isSignedIn) setError(null);
  }
  const isTransient = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
  useEffect(() => {
    if (!isTransient) return;
    const clearError = () => setError(null);
    const timer = setTimeout(clearError, RETRY_DELAY);
    addEventListener('online', clearError);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', clearError);
    };
  }, [isTransient, error]);
  return [{ text: error === null ? null : errorText(error) }, setError] as const;
}

/** Creates or updates the draft on the server; a new draft gets its URL without remounting the page. */
function useSaveToServer(sessionKey: string) {
  const create = useCreateCampaign();
  const update = useUpdateCampaign();
  const navigate = useNavigate();
  const { state } = useLocation();
  return async (existingCampaign: Campaign | null, content: DraftContent): Promise<Campaign> => {
    if (existingCampaign)
      return update.mutateAsync({
        id: existingCampaign.id,
        updatedAt: existingCampaign.updatedAt,
        ...toRequestBody(content),
      });
    const createdCampaign = await create.mutateAsync(toRequestBody(content));
    await navigate(`/campaigns/${createdCampaign.id}`, {
      replace: true,
      preventScrollReset: true,
      state: { ...(state as object | null), composing: sessionKey },
    });
    return createdCampaign;
  };
}
