import CheckRounded from '@mui/icons-material/CheckRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';

const shownFor = 2000;

interface Props {
  value: string;
  /** Said when it could not be copied, in place of the general sentence. */
  failure?: string;
  onCopied?: () => void;
}

/** Puts a text on the clipboard and says that it has. */
export function CopyButton({ value, failure, onCopied }: Props) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownFor);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      onCopied?.();
    } catch {
      toast.error(failure ?? t('copy.failed'));
    }
  };
  return (
    <Button
      onClick={() => void copy()}
      startIcon={copied ? <CheckRounded /> : <ContentCopyRounded />}
      sx={{ flex: 'none' }}
    >
      <span aria-live="polite">{copied ? t('copy.copied') : t('copy.copy')}</span>
    </Button>
  );
}
