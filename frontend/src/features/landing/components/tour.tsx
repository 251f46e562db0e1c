import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon } from '../../../shared/plain/icons';
import { Shot, type ShotName } from './shot';

const steps: readonly ShotName[] = ['zone', 'share', 'join', 'campaign', 'dashboard'];

/** A few screens of the product, one after another: by buttons, by the arrow keys; Escape ends it. */
export function Tour({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('landing');
  const { t: common } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [index, setIndex] = useState(0);
  const step = steps[index]!;
  const last = index === steps.length - 1;
  const go = (by: number) => setIndex((at) => Math.min(Math.max(at + by, 0), steps.length - 1));
  useEffect(() => dialog.current?.showModal(), []);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(1);
    if (key === 'ArrowLeft') go(-1);
  };
  return (
    <dialog ref={dialog} className="z-tour" aria-label={t('steps.title')} onClose={onClose} onKeyDown={onKeyDown}>
      <header className="z-tour-head">
        <div aria-live="polite">
          <h2>{t(`steps.${step}.title`)}</h2>
          <p className="z-second">{t(`steps.${step}.text`)}</p>
        </div>
        <button
          type="button"
          className="z-button z-button-quiet z-tour-close"
          aria-label={common('actions.close')}
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      </header>
      <Shot key={step} name={step} alt={t(`steps.${step}.title`)} />
      <footer className="z-tour-foot">
        <span className="z-second">{t('steps.position', { step: index + 1, count: steps.length })}</span>
        <span className="z-tour-buttons">
          <button type="button" className="z-button" disabled={index === 0} onClick={() => go(-1)}>
            {t('steps.previous')}
          </button>
          <button
            type="button"
            className="z-button z-button-main"
            onClick={() => (last ? dialog.current?.close() : go(1))}
          >
            {last ? t('steps.done') : t('steps.next')}
          </button>
        </span>
      </footer>
    </dialog>
  );
}
