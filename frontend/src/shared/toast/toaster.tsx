import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { CheckIcon, CloseIcon, WarningIcon } from '../public-ui/icons';
import { toast, useToast, type Toast } from './toast-store';
import { RateLimitCountdown } from './rate-limit-countdown';
import './toast.css';

const TOAST_DURATION = 5000;

/** Renders the toasts. Always mounted, so that screen readers announce them. */
export function Toaster() {
  const currentToast = useToast();
  const regionRef = useRef<HTMLDivElement>(null);
  useEffect(() => preventAriaHidden(regionRef.current), []);
  return createPortal(
    <div ref={regionRef} className="z-toaster">
      <RateLimitCountdown />
      <div role="status" aria-live="polite">
        {currentToast && <ToastCard key={currentToast.id} {...currentToast} />}
      </div>
    </div>,
    document.body,
  );
}

/** Open dialogs hide the rest of the page from screen readers; toasts must still be announced. */
function preventAriaHidden(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined;
  const removeAriaHidden = () => region.removeAttribute('aria-hidden');
  const observer = new MutationObserver(removeAriaHidden);
  removeAriaHidden();
  observer.observe(region, { attributes: true, attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

function ToastCard({ id, tone, title, message, undo }: Toast) {
  const { t } = useTranslation();
  const [isPaused, setIsPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => toast.dismiss(id), TOAST_DURATION);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  const pauseOnHover = { onMouseEnter: () => setIsPaused(true), onMouseLeave: () => setIsPaused(false) };
  const pauseOnFocus = { onFocus: () => setIsPaused(true), onBlur: () => setIsPaused(false) };
  return (
    <div className={`z-toast z-toast-${tone}`} {...pauseOnHover} {...pauseOnFocus}>
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
