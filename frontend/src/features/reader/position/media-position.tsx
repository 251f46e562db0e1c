import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PositionSource } from '../source/reader-source';
import { ContinueOffer } from './continue-offer';
import { formatPlayTime } from './play-time';
import { usePositionSaver } from './use-position-saver';
import { useStoredPosition } from './use-stored-position';

/** Milliseconds between two saved positions. */
const SAVE_DELAY = 15_000;
/** Seconds at the beginning and the end of a recording at which nobody needs to continue. */
const MARGIN = 10;

interface Props {
  positions: PositionSource;
  fileId: number;
  player: HTMLMediaElement;
}

/** Saves where the user is in audio or video, and offers to continue where they stopped on any device. */
export function MediaPosition({ positions, fileId, player }: Props) {
  const { t } = useTranslation('reader');
  const { data: stored, isFetched } = useStoredPosition(positions, fileId);
  const [isOfferClosed, setOfferClosed] = useState(false);
  const duration = useDuration(player);
  const save = usePositionSaver(positions, fileId, SAVE_DELAY);
  const seconds = stored?.seconds ?? 0;
  const isOffered = !isOfferClosed && seconds > MARGIN && seconds < duration - MARGIN;

  // Playing from the beginning overwrites the stored position only after some seconds, like leaving the offer alone.
  useEffect(() => {
    if (!isFetched) return undefined;
    const record = () => {
      if (player.currentTime <= MARGIN) return;
      setOfferClosed(true);
      save({ seconds: Math.floor(player.currentTime) });
    };
    player.addEventListener('timeupdate', record);
    return () => player.removeEventListener('timeupdate', record);
  }, [isFetched, player, save]);

  if (!isOffered) return null;
  const continuePlaying = () => {
    setOfferClosed(true);
    seekTo(player, seconds);
  };
  return (
    <ContinueOffer
      label={t('position.time', { time: formatPlayTime(seconds) })}
      onContinue={continuePlaying}
      onDismiss={() => setOfferClosed(true)}
    />
  );
}

/** Leaves it to the user to play: sound must not start unasked. */
function seekTo(player: HTMLMediaElement, seconds: number): void {
  player.currentTime = seconds;
  player.focus();
}

/** Returns the length in seconds; 0 until it is known. */
function useDuration(player: HTMLMediaElement): number {
  const [duration, setDuration] = useState(player.duration || 0);
  useEffect(() => {
    const update = () => setDuration(player.duration || 0);
    player.addEventListener('durationchange', update);
    return () => player.removeEventListener('durationchange', update);
  }, [player]);
  return duration;
}
