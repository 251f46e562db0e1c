import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError, hasCode } from '../../../shared/api/api-error';
import { useCurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useCreateCampaign, useFreshCampaign, useUpdateCampaign, type Campaign } from '../api/use-campaigns';
import { keptWording } from './kept-wording';
import { blank, bodyOf, canBeDraft, same, wordingOf, type Wording } from './wording';

const SAVE_AFTER = 1500;
const TRY_AGAIN_AFTER = 15_000;

/**
 * A draft as it is written. It is kept in the tab at once and at the server as soon as it can be, a moment after the
 * last change; saving happens one after the other, so that a new draft is made once only.
 */
export function useDraft(campaign: Campaign | null, composing: string) {
  const send = useSend(composing);
  const fresh = useFreshCampaign();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [start] = useState(() => startOf(campaign, query.get('zone')));
  const [wording, setWording] = useState<Wording>(start.first);
  const [failure, setFailure] = useFailure();
  const [changedElsewhere, setChangedElsewhere] = useState(start.isStale);
  const [saved, setSaved] = useState<Wording | null>(campaign && start.server);
  const state = useRef({ wording: start.first, base: start.base, saved: campaign && start.server, campaign });
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const change = (part: Partial<Wording>) => {
    const next = { ...state.current.wording, ...part };
    state.current.wording = next;
    const { campaign: known, base } = state.current;
    keptWording.set(known?.id ?? null, { wording: next, base });
    setWording(next);
    setFailure(null);
  };

  const saveOnce = async (): Promise<Campaign> => {
    const { wording: now, saved: before, campaign: known } = state.current;
    if (known && before && same(now, before)) return known;
    const answer = await send(known, now);
    keptWording.remove(known?.id ?? null);
    state.current = { ...state.current, saved: now, base: answer.updatedAt, campaign: answer };
    // What was written while this was on its way is not saved yet.
    const { wording: newer } = state.current;
    if (!same(newer, now)) keptWording.set(answer.id, { wording: newer, base: answer.updatedAt });
    setSaved(now);
    return answer;
  };

  /** Saves what is written now, if it is not saved yet, and gives the campaign. Throws what the server refused. */
  const save = (): Promise<Campaign> => {
    const run = queue.current.then(saveOnce);
    queue.current = run.catch((error: unknown) => {
      if (hasCode(error, 'CAMPAIGN_CHANGED')) setChangedElsewhere(true);
      else setFailure(error);
    });
    return run;
  };

  const changed = saved === null ? !same(wording, start.server) : !same(wording, saved);
  const due = changed && failure.text === null && !changedElsewhere && canBeDraft(wording);

  useEffect(() => {
    if (!due) return;
    const timer = setTimeout(() => void save().catch(() => undefined), SAVE_AFTER);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each change begins the wait anew
  }, [due, wording]);

  /** Writes what stands here over what was saved elsewhere meanwhile. */
  const keepMine = async () => {
    const theirs = await fresh(state.current.campaign!.id);
    state.current = { ...state.current, base: theirs.updatedAt, campaign: theirs, saved: wordingOf(theirs) };
    setChangedElsewhere(false);
    await save();
  };

  /** Gives up what stands here for what was saved elsewhere. */
  const takeTheirs = async () => {
    const { id } = await fresh(state.current.campaign!.id);
    keptWording.remove(id);
    await navigate(`/campaigns/${id}`, { replace: true, state: { composing: `again-${Date.now()}` } });
  };

  const elsewhere = changedElsewhere ? { keepMine, takeTheirs } : null;
  const noteElsewhere = () => setChangedElsewhere(true);
  return {
    wording,
    change,
    save,
    changed,
    due,
    failure: failure.text,
    elsewhere,
    noteElsewhere,
    isSaved: saved !== null,
  };
}

/**
 * With what writing begins: what was written in this tab and not saved, else what is at the server. `isStale` tells that it
 * was written on top of another state than the one that is saved now, so that a person has to choose between the two.
 */
function startOf(campaign: Campaign | null, zone: string | null) {
  const now = campaign?.updatedAt ?? null;
  const server = campaign ? wordingOf(campaign) : { ...blank, zoneId: zone ?? '' };
  const kept = keptWording.get(campaign?.id ?? null);
  // What was saved although its answer was lost is what is at the server.
  if (!kept || same(kept.wording, server)) return { server, first: server, base: now, isStale: false };
  // The address of a new one names the zone that it was begun for.
  const first = zone === null ? kept.wording : { ...kept.wording, zoneId: server.zoneId };
  return { server, first, base: kept.base, isStale: kept.base !== now };
}

/**
 * Why the draft could not be saved, in words. What passes by itself is forgotten after a while, when the connection is
 * back, or once the person has signed in again; saving then goes on.
 */
function useFailure() {
  const errorText = useErrorText();
  const isSignedIn = Boolean(useCurrentUser().data);
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn);
  const [error, setError] = useState<unknown>(null);
  if (isSignedIn !== wasSignedIn) {
    setWasSignedIn(isSignedIn);
    if (isSignedIn) setError(null);
  }
  const passes = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
  useEffect(() => {
    if (!passes) return;
    const forget = () => setError(null);
    const timer = setTimeout(forget, TRY_AGAIN_AFTER);
    addEventListener('online', forget);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', forget);
    };
  }, [passes, error]);
  return [{ text: error === null ? null : errorText(error) }, setError] as const;
}

/** Makes or changes the draft at the server; a new one gets its address without the page beginning anew. */
function useSend(composing: string) {
  const create = useCreateCampaign();
  const update = useUpdateCampaign();
  const navigate = useNavigate();
  const { state } = useLocation();
  return async (known: Campaign | null, wording: Wording): Promise<Campaign> => {
    if (known) return update.mutateAsync({ id: known.id, updatedAt: known.updatedAt, ...bodyOf(wording) });
    const made = await create.mutateAsync(bodyOf(wording));
    await navigate(`/campaigns/${made.id}`, {
      replace: true,
      preventScrollReset: true,
      state: { ...(state as object | null), composing },
    });
    return made;
  };
}
