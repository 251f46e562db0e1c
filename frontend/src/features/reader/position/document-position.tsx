import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReaderView } from '../controls/use-reader-view';
import type { PositionSource } from '../source/reader-source';
import { ContinueOffer } from './continue-offer';
import { usePositionSaver } from './use-position-saver';
import { useStoredPosition } from './use-stored-position';

/** Milliseconds between two saved positions. */
const SAVE_DELAY = 2000;

interface Props {
  positions: PositionSource;
  fileId: number;
  /** The current page. */
  page: number;
  /** The page with which the document was opened. */
  initialPage: number;
  count: number;
  view: ReaderView;
}

/** Saves where the user is in a document, and offers to continue at a later page that they reached on any device. */
export function DocumentPosition({ positions, fileId, page, initialPage, count, view }: Props) {
  const { t } = useTranslation('reader');
  const { data: stored, isFetched } = useStoredPosition(positions, fileId);
  const [isOfferClosed, setOfferClosed] = useState(false);
  const hasMovedRef = useRef(false);
  const save = usePositionSaver(positions, fileId, SAVE_DELAY);
  const { pagesRef, focusPageRef } = view;
  const storedPage = Math.min(stored?.page ?? 0, count);
  // Stays closed after the user was there, also when they go back.
  if (isFetched && !isOfferClosed && page >= storedPage) setOfferClosed(true);

  // While it is offered, the stored position isn't overwritten with earlier pages.
  useEffect(() => {
    if (!isOfferClosed) return undefined;
    const record = () => save(pagesRef.current?.getPosition() ?? { page, fraction: 0 });
    if (page !== initialPage) hasMovedRef.current = true;
    if (hasMovedRef.current) record();
    addEventListener('scroll', record, { passive: true });
    return () => removeEventListener('scroll', record);
  }, [isOfferClosed, save, page, initialPage, pagesRef]);

  if (!isFetched || isOfferClosed) return null;
  const continueReading = () => {
    setOfferClosed(true);
    focusPageRef.current = storedPage;
    pagesRef.current?.goToPage(storedPage, stored?.fraction);
  };
  return (
    <ContinueOffer
      label={t('position.page', { page: storedPage })}
      onContinue={continueReading}
      onDismiss={() => setOfferClosed(true)}
    />
  );
}
