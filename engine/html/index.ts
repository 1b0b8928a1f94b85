export { type Block as TextBlock, blocksOf, plainTextOf, type Run as TextRun } from './blocks.js';
export {
  MESSAGE_PARTS,
  type MessageOrder,
  type MessagePart,
  type MessageTemplates,
  type MessageTexts,
  paragraphsOf,
  type Rendered,
  type RenderedMessage,
  renderMessageParts,
  renderOrder,
  templatesOfTexts,
} from './message.js';
export { sanitizedHtml, sanitizedPage } from './sanitize.js';
