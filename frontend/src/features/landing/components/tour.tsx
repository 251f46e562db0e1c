import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon } from '../../../shared/public-ui/icons';
import { Screenshot, type ScreenshotName } from './screenshot';

const steps: readonly ScreenshotName[] = ['zone', 'share', 'join', 'campaign', 'dashboard'];

/** A tour of several screenshots with previous and next buttons; arrow keys work as well, and Escape closes it. */
export function Tour({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('landing');
  const { t: tCommon } = useTranslation();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [index, setIndex] = useState(0);
  const step = steps[index]!;
  const isLast = index === steps.length - 1;
  const moveBy = (by: number) => setIndex((at) => Math.min(Math.max(at + by, 0), steps.length - 1));
  useEffect(() => dialogRef.current?.showModal(), []);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') moveBy(1);
    if (key === 'ArrowLeft') moveBy(-1);
  };
  return (
    <dialog ref={dialogRef} className="z-tour" aria-label={t('steps.title')} onClose={onClose} onKeyDown={onKeyDown}>
      <header className="z-tour-head">
        <div aria-live="polite">
          <h2>{t(`steps.${step}.title`)}</h2>
          <p className="z-second">{t(`steps.${step}.text`)}</p>
        </div>
        <button
          type="button"
          className="z-button z-button-quiet z-tour-close"
          aria-label={tCommon('actions.close')}
          onClick={() => dialogRef.current?.close()}
        >
          <CloseIcon />
        </button>
      </header>
      <Screenshot key={step} name={step} alt={t(`steps.${step}.title`)} />
      <footer className="z-tour-foot">
        <span className="z-second">{t('steps.position', { step: index + 1, count: steps.length })}</span>
        <span className="z-tour-buttons">
          <button type="button" className="z-button" disabled={index === 0} onClick={() => moveBy(-1)}>
            {t('steps.previous')}
          </button>
          <button
            type="button"
            className="z-button z-button-main"
            onClick={() => (isLast ? dialogRef.current?.close() : moveBy(1))}
          >
            {isLast ? t('steps.done') : t('steps.next')}
          </button>
        </span>
      </footer>
    </dialog>
  );
}
