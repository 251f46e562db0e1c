import CheckRounded from '@mui/icons-material/CheckRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';

const COPIED_DURATION = 2000;

interface Props {
  value: string;
  /** Shown if copying fails, instead of the general message. */
  failureMessage?: string;
  onCopied?: () => void;
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ value, failureMessage, onCopied }: Props) {
  const { t } = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_DURATION);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
      onCopied?.();
    } catch {
      toast.error(failureMessage ?? t('copy.failed'));
    }
  };
  return (
    <Button
      onClick={() => void copy()}
      startIcon={isCopied ? <CheckRounded /> : <ContentCopyRounded />}
      sx={{ flex: 'none' }}
    >
      <span aria-live="polite">{isCopied ? t('copy.copied') : t('copy.copy')}</span>
    </Button>
  );
}
