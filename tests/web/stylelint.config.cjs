// SPDX-License-Identifier: MIT
//
// Rules for the styles of the pages: what is wrong, not how it is written.
"use strict";

const names = ["annotation-no-unknown", "at-rule-no-unknown", "block-no-empty", "color-no-invalid-hex", "custom-property-no-missing-var-function",
	"declaration-block-no-duplicate-custom-properties", "declaration-block-no-duplicate-properties", "declaration-block-no-shorthand-property-overrides",
	"font-family-no-duplicate-names", "font-family-no-missing-generic-family-keyword", "function-calc-no-unspaced-operator",
	"keyframe-block-no-duplicate-selectors", "keyframe-declaration-no-important", "media-feature-name-no-unknown", "media-query-no-invalid",
	"named-grid-areas-no-invalid", "no-duplicate-at-import-rules", "no-invalid-double-slash-comments", "no-irregular-whitespace", "property-no-unknown",
	"selector-pseudo-class-no-unknown", "selector-pseudo-element-no-unknown", "selector-type-no-unknown", "string-no-newline", "unit-no-unknown"];

module.exports = { rules: Object.fromEntries(names.map(name => [name, true])) };
