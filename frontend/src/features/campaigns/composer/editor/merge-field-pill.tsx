import Box from '@mui/material/Box';
import Popover from '@mui/material/Popover';
import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isMergeField } from '../../../../shared/format/merge-fields';
import { SubmitButton } from '../../../../shared/ui/submit-button';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { useForm } from '../../../../shared/forms/use-form';
import { cleanFallback, canBeMissing } from './merge-fields';

/** A merge field in the text editor: an atomic node with a readable label. Clicking it edits its fallback text. */
export function MergeFieldPill({ node, selected, updateAttributes, editor, getPos }: ReactNodeViewProps) {
  const { t } = useTranslation('campaigns');
  const pill = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const name = String(node.attrs.field);
  const fallback = String(node.attrs.fallback);
  const label = isMergeField(name) ? t(`merge.${name}`) : name;
  const hasFallback = isMergeField(name) && canBeMissing(name);
  const text = fallback ? t('merge.withFallback', { field: label, fallback }) : label;
  // Typing continues after the pill.
  const close = () => {
    setOpen(false);
    const position = getPos();
    if (position !== undefined)
      editor
        .chain()
        .setTextSelection(position + node.nodeSize)
        .focus()
        .run();
  };
  return (
    <NodeViewWrapper as="span" data-merge={name} data-fallback={fallback}>
      {hasFallback ? (
        <Box
          ref={pill}
          component="button"
          type="button"
          tabIndex={-1}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={t('merge.edit', { field: text })}
          onClick={() => setOpen(true)}
          sx={[pillSx, { cursor: 'pointer' }, selected && selectedSx]}
        >
          {text}
        </Box>
      ) : (
        <Box component="span" sx={[pillSx, selected && selectedSx]}>
          {text}
        </Box>
      )}
      <Popover
        open={isOpen}
        anchorEl={() => pill.current}
        onClose={close}
        disableRestoreFocus
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('merge.title', { field: label }) } }}
      >
        <FallbackForm
          fallback={fallback}
          onSave={(value) => {
            updateAttributes({ fallback: value });
            close();
          }}
        />
      </Popover>
    </NodeViewWrapper>
  );
}

const pillSx = {
  typography: 'inherit',
  border: 0,
  borderRadius: 1,
  px: 1.5,
  py: 0,
  m: 0,
  bgcolor: 'tint.accent',
  color: 'primary.main',
} as const;
const selectedSx = { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main' } as const;

function FallbackForm({ fallback, onSave }: { fallback: string; onSave: (fallback: string) => void }) {
  const { t } = useTranslation('campaigns');
  const form = useForm({
    initial: { fallback },
    submit: (values) => {
      onSave(cleanFallback(values.fallback));
      return Promise.resolve();
    },
  });
  return (
    <Box
      component="form"
      {...form.formProps}
      sx={{ display: 'flex', flexDirection: 'column', gap: 3, p: 4, width: 300, maxWidth: '100%' }}
    >
      <FormField
        {...form.field('fallback')}
        label={t('merge.fallback')}
        help={t('merge.fallbackHelp')}
        autoComplete="off"
        maxLength={60}
        optional
        autoFocus
      />
      <SubmitButton isSubmitting={form.isSubmitting}>{t('merge.save')}</SubmitButton>
    </Box>
  );
}
