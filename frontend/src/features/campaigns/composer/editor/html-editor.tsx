import OutlinedInput from '@mui/material/OutlinedInput';
import { useImperativeHandle, useRef, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditorHandle } from './editor-handle';
import { formatMergeField } from './merge-fields';

interface Props {
  value: string;
  invalid: boolean;
  describedBy?: string;
  onChange: (html: string) => void;
  ref?: Ref<EditorHandle>;
}

/** Edits the email as HTML. */
export function HtmlEditor({ value, invalid, describedBy, onChange, ref }: Props) {
  const { t } = useTranslation('campaigns');
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    insertField: (field) => {
      const from = textareaRef.current?.selectionStart ?? value.length;
      const to = textareaRef.current?.selectionEnd ?? value.length;
      onChange(value.slice(0, from) + formatMergeField(field, '') + value.slice(to));
      textareaRef.current?.focus();
    },
  }));
  return (
    <OutlinedInput
      fullWidth
      multiline
      minRows={14}
      maxRows={30}
      value={value}
      error={invalid}
      inputRef={textareaRef}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{
        input: { 'aria-label': t('compose.htmlLabel'), 'aria-describedby': describedBy, spellCheck: false, dir: 'ltr' },
      }}
      sx={{ '& textarea': { fontFamily: 'monospace' } }}
    />
  );
}
