import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput from '@mui/material/OutlinedInput';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../../forms/use-form';

interface Props extends FieldProps {
  label: string;
  help?: ReactNode;
  type?: string;
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'email' | 'search';
  maxLength?: number;
  /** For dates. */
  min?: string;
  max?: string;
  placeholder?: string;
  autoFocus?: boolean;
  optional?: boolean;
  disabled?: boolean;
  /** Rows of a multi-line field; a single line if undefined. */
  rows?: number;
  /** Rows after which a multi-line field scrolls; by default it grows with its text. */
  maxRows?: number;
  endAdornment?: ReactNode;
  onFocus?: () => void;
  onBlur?: () => void;
}

/** A text field with its label above, help below, and the error in place of the help. */
export function FormField({ label, help, error, optional, rows, maxRows, endAdornment, maxLength, ...props }: Props) {
  const { min, max, inputMode, ...input } = props;
  const { t } = useTranslation();
  const noteId = `${input.id}-note`;
  const note = error ?? help;
  return (
    <Box>
      <Typography component="label" variant="subtitle2" htmlFor={input.id} sx={{ display: 'block', mb: 1 }}>
        {label}
        {optional && (
          <Typography component="span" variant="body2" color="textSecondary">
            {` (${t('form.optional')})`}
          </Typography>
        )}
      </Typography>
      <OutlinedInput
        {...input}
        fullWidth
        error={Boolean(error)}
        multiline={rows !== undefined}
        minRows={rows}
        maxRows={maxRows}
        endAdornment={endAdornment}
        slotProps={{ input: { 'aria-describedby': note ? noteId : undefined, maxLength, min, max, inputMode } }}
      />
      {note && (
        <FormHelperText id={noteId} error={Boolean(error)} sx={{ mx: 0 }}>
          {note}
        </FormHelperText>
      )}
    </Box>
  );
}
