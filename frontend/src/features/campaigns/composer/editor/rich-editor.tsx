import Box from '@mui/material/Box';
import { EditorContent, useEditor } from '@tiptap/react';
import { useImperativeHandle, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditorHandle } from './editor-handle';
import { extensions, stripStyles } from './editor-extensions';
import { EditorToolbar } from './editor-toolbar';
import { fromEditorHtml, toEditorHtml } from './merge-fields';

interface Props {
  /** Initial content; later changes come only from the editor. */
  initial: string;
  invalid: boolean;
  describedBy?: string;
  onChange: (html: string) => void;
  ref?: Ref<EditorHandle>;
}

/** Edits the email as rich text. */
export function RichEditor({ initial, invalid, describedBy, onChange, ref }: Props) {
  const { t } = useTranslation('campaigns');
  const editor = useEditor({
    extensions,
    content: toEditorHtml(initial),
    injectCSS: false,
    editorProps: {
      transformPastedHTML: stripStyles,
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': t('editor.label'),
        ...(invalid && { 'aria-invalid': 'true', 'aria-describedby': describedBy ?? '' }),
      },
    },
    onUpdate: ({ editor: now }) => onChange(now.isEmpty ? '' : fromEditorHtml(now.getHTML())),
  });
  useImperativeHandle(
    ref,
    () => ({
      insertField: (field) =>
        editor
          .chain()
          .focus()
          .insertContent({ type: 'mergeField', attrs: { field, fallback: '' } })
          .run(),
    }),
    [editor],
  );
  return (
    <Box
      role="group"
      aria-label={t('compose.content')}
      sx={{
        border: 1,
        borderColor: invalid ? 'error.main' : 'outline',
        borderRadius: 1,
        bgcolor: 'background.paper',
        '&:focus-within': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -1 },
      }}
    >
      <EditorToolbar editor={editor} />
      <Box sx={editorSx}>
        <EditorContent editor={editor} />
      </Box>
    </Box>
  );
}

const editorSx = {
  '& .ProseMirror': {
    minHeight: 280,
    maxHeight: '60vh',
    overflowY: 'auto',
    px: 4,
    py: 3,
    outline: 'none',
    overflowWrap: 'anywhere',
    whiteSpace: 'break-spaces',
    typography: 'subtitle1',
  },
  '& .ProseMirror > :first-of-type': { mt: 0 },
  '& a:not([style])': { color: 'primary.main' },
  '& blockquote': { borderLeft: 3, borderColor: 'divider', ml: 0, pl: 4, color: 'text.secondary' },
  '& hr': { border: 0, borderTop: 1, borderStyle: 'solid', borderColor: 'divider' },
} as const;
