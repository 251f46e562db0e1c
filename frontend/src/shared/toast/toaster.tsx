import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { CheckIcon, CloseIcon, WarningIcon } from '../plain/icons';
import { toast, useToast, type Toast } from './toast-store';
import { WaitCard } from './wait-card';
import './toast.css';

const shownFor = 5000;

/** Where toasts appear. It stays in the page so that screen readers know the region before it speaks. */
export function Toaster() {
  const shown = useToast();
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => neverHidden(region.current), []);
  return createPortal(
    <div ref={region} className="z-toaster">
      <WaitCard />
      <div role="status" aria-live="polite">
        {shown && <ToastCard key={shown.id} {...shown} />}
      </div>
    </div>,
    document.body,
  );
}

/** An open dialog hides everything beside it from screen readers; what it has to say by a toast must still be heard. */
function neverHidden(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined;
  const show = () => region.removeAttribute('aria-hidden');
  const observer = new MutationObserver(show);
  show();
  observer.observe(region, { attributes: true, attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

function ToastCard({ id, tone, title, message, undo }: Toast) {
  const { t } = useTranslation();
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => toast.dismiss(id), shownFor);
    return () => clearTimeout(timer);
  }, [id, paused]);
  const hold = { onMouseEnter: () => setPaused(true), onMouseLeave: () => setPaused(false) };
  const holdFocus = { onFocus: () => setPaused(true), onBlur: () => setPaused(false) };
  return (
    <div className={`z-toast z-toast-${tone}`} {...hold} {...holdFocus}>
      {tone === 'success' && <CheckIcon />}
      {tone === 'error' && <WarningIcon />}
      <div className="z-toast-text">
        <strong>{title}</strong>
        {message && <span>{message}</span>}
      </div>
      {undo && (
        <button
          type="button"
          className="z-toast-undo"
          onClick={() => {
            toast.dismiss(id);
            undo();
          }}
        >
          {t('actions.undo')}
        </button>
      )}
      <button
        type="button"
        className="z-toast-close"
        aria-label={t('actions.dismiss')}
        onClick={() => toast.dismiss(id)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
