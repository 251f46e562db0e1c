import { Extension, Node } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import { ReactNodeViewRenderer } from '@tiptap/react';
import { MergeFieldPill } from './merge-field-pill';
import { formatMergeField } from './merge-fields';

const dataAttribute = (name: string, key: string) => ({
  default: '',
  parseHTML: (element: HTMLElement) => element.getAttribute(name) ?? '',
  renderHTML: (attributes: Record<string, unknown>) => ({ [name]: String(attributes[key] ?? '') }),
});

/**
 * A merge field as an atomic node that is moved and deleted as a whole. Enter edits the fallback text of the selected
 * one.
 */
const MergeFieldNode = Node.create({
  name: 'mergeField',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    field: dataAttribute('data-merge', 'field'),
    fallback: dataAttribute('data-fallback', 'fallback'),
  }),
  parseHTML: () => [{ tag: 'span[data-merge]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    HTMLAttributes,
    formatMergeField(String(node.attrs.field), String(node.attrs.fallback)),
  ],
  addNodeView: () => ReactNodeViewRenderer(MergeFieldPill, { as: 'span' }),
  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) => {
        const { selection } = editor.state;
        if (!(selection instanceof NodeSelection) || selection.node.type.name !== this.name) return false;
        const pill = (editor.view.nodeDOM(selection.from) as HTMLElement | null)?.querySelector('button');
        pill?.click();
        return true;
      },
    };
  },
  renderText: ({ node }) => formatMergeField(String(node.attrs.field), String(node.attrs.fallback)),
});

/** Keeps inline styles of templates, such as those of buttons. */
const PreserveStyles = Extension.create({
  name: 'keptStyles',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'bulletList', 'orderedList', 'listItem', 'blockquote', 'link'],
      attributes: {
        style: {
          default: null,
          parseHTML: (element: HTMLElement) => element.getAttribute('style'),
          renderHTML: ({ style }: Record<string, unknown>) => (style ? { style } : {}),
        },
      },
    },
  ],
});

export const extensions = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    codeBlock: false,
    link: { openOnClick: false, HTMLAttributes: { rel: null, target: null } },
  }),
  MergeFieldNode,
  PreserveStyles,
];

/** Removes styles from pasted text. */
export function stripStyles(html: string): string {
  const parsedDocument = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsedDocument.querySelectorAll('[style], [class]')) {
    element.removeAttribute('style');
    element.removeAttribute('class');
  }
  return parsedDocument.body.innerHTML;
}
