import FormatBoldRounded from '@mui/icons-material/FormatBoldRounded';
import FormatItalicRounded from '@mui/icons-material/FormatItalicRounded';
import FormatListBulletedRounded from '@mui/icons-material/FormatListBulletedRounded';
import FormatListNumberedRounded from '@mui/icons-material/FormatListNumberedRounded';
import FormatQuoteRounded from '@mui/icons-material/FormatQuoteRounded';
import FormatUnderlinedRounded from '@mui/icons-material/FormatUnderlinedRounded';
import HorizontalRuleRounded from '@mui/icons-material/HorizontalRuleRounded';
import LinkRounded from '@mui/icons-material/LinkRounded';
import RedoRounded from '@mui/icons-material/RedoRounded';
import TitleRounded from '@mui/icons-material/TitleRounded';
import UndoRounded from '@mui/icons-material/UndoRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { SvgIconComponent } from '@mui/icons-material';
import { useEditorState, type Editor } from '@tiptap/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkDialog } from '../dialogs/link-dialog';

const tools = [
  'bold',
  'italic',
  'underline',
  'heading',
  'bullets',
  'numbers',
  'quote',
  'line',
  'undo',
  'redo',
] as const;
type Tool = (typeof tools)[number];

const icons: Record<Tool, SvgIconComponent> = {
  bold: FormatBoldRounded,
  italic: FormatItalicRounded,
  underline: FormatUnderlinedRounded,
  heading: TitleRounded,
  bullets: FormatListBulletedRounded,
  numbers: FormatListNumberedRounded,
  quote: FormatQuoteRounded,
  line: HorizontalRuleRounded,
  undo: UndoRounded,
  redo: RedoRounded,
};

function runTool(tool: Tool, editor: Editor): void {
  const chain = editor.chain().focus();
  const commands: Record<Tool, () => typeof chain> = {
    bold: () => chain.toggleBold(),
    italic: () => chain.toggleItalic(),
    underline: () => chain.toggleUnderline(),
    heading: () => chain.toggleHeading({ level: 2 }),
    bullets: () => chain.toggleBulletList(),
    numbers: () => chain.toggleOrderedList(),
    quote: () => chain.toggleBlockquote(),
    line: () => chain.setHorizontalRule(),
    undo: () => chain.undo(),
    redo: () => chain.redo(),
  };
  commands[tool]().run();
}

const nodeNames: Partial<Record<Tool, string>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  heading: 'heading',
  bullets: 'bulletList',
  numbers: 'orderedList',
  quote: 'blockquote',
};

/** Formatting controls for the text at the cursor. */
export function EditorToolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('campaigns');
  const [isLinkDialogOpen, setIsLinkDialogOpen] = useState(false);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      active: tools.filter((tool) => nodeNames[tool] !== undefined && now.isActive(nodeNames[tool])),
      link: now.isActive('link'),
      undo: now.can().undo(),
      redo: now.can().redo(),
    }),
  });
  const isDisabled = (tool: Tool) => (tool === 'undo' && !state.undo) || (tool === 'redo' && !state.redo);
  return (
    <Box
      role="group"
      aria-label={t('editor.toolbar')}
      sx={{ display: 'flex', flexWrap: 'wrap', p: 1, borderBottom: 1, borderColor: 'divider' }}
    >
      {tools.map((tool) => (
        <ToolButton
          key={tool}
          label={t(`editor.${tool}`)}
          icon={icons[tool]}
          pressed={nodeNames[tool] === undefined ? undefined : state.active.includes(tool)}
          disabled={isDisabled(tool)}
          onClick={() => runTool(tool, editor)}
        />
      ))}
      <ToolButton
        label={t('editor.link')}
        icon={LinkRounded}
        pressed={state.link}
        onClick={() => setIsLinkDialogOpen(true)}
      />
      <LinkDialog
        open={isLinkDialogOpen}
        address={String(editor.getAttributes('link').href ?? '')}
        onSet={(href) => editor.chain().focus().extendMarkRange('link').setLink({ href }).run()}
        onRemove={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
        onClose={() => setIsLinkDialogOpen(false)}
      />
    </Box>
  );
}

interface ToolButtonProps {
  label: string;
  icon: SvgIconComponent;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

function ToolButton({ label, icon: Icon, pressed, disabled, onClick }: ToolButtonProps) {
  return (
    <Tooltip title={label}>
      <span>
        <IconButton
          size="small"
          aria-label={label}
          aria-pressed={pressed}
          disabled={disabled}
          // Keeps the text selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onClick}
          sx={pressed ? { bgcolor: 'tint.accent', color: 'primary.main' } : undefined}
        >
          <Icon />
        </IconButton>
      </span>
    </Tooltip>
  );
}
