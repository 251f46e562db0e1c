import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { CopyButton } from '../copy-button';

interface Props {
  label: string;
  value: string;
  failureMessage?: string;
  onCopied?: () => void;
}

/** A read-only text, such as a link, with a copy button. */
export function CopyField({ label, value, failureMessage, onCopied }: Props) {
  const id = useId();
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
        <CopyButton value={value} failureMessage={failureMessage} onCopied={onCopied} />
      </Box>
    </Box>
  );
}
