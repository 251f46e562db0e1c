import CheckRounded from '@mui/icons-material/CheckRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../toast/toast-store';

const shownFor = 2000;

/** A text to be copied whole, such as a link, with its button. */
export function CopyField({ label, value, failure }: { label: string; value: string; failure?: string }) {
  const { t } = useTranslation();
  const id = useId();
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
    } catch {
      toast.error(failure ?? t('copy.failed'));
    }
  };
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={id} sx={{ display: 'block', mb: 1 }}>
        {label}
      </Typography>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <OutlinedInput
          id={id}
          fullWidth
          value={value}
          readOnly
          onFocus={(event) => event.target.select()}
          slotProps={{ input: { dir: 'ltr', spellCheck: false } }}
        />
        <Button
          onClick={() => void copy()}
          startIcon={copied ? <CheckRounded /> : <ContentCopyRounded />}
          sx={{ flex: 'none' }}
        >
          <span aria-live="polite">{copied ? t('copy.copied') : t('copy.copy')}</span>
        </Button>
      </Box>
    </Box>
  );
}
