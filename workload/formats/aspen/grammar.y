/* workload/formats/aspen/grammar.y - the grammar of Aspen (docs/aspen.md). Items of a file, a model and a component are lists
 * that recover from a syntax error at their next item, so that all of them are reported at once. */
%define api.pure full
%define api.prefix {aspen_yy}
%define api.location.type {struct aspen_at}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { void *scanner } { struct aspen_parse *p }
%lex-param { void *scanner } { struct aspen_parse *p }

%code requires {
#include "workload/formats/aspen/parse.h"
}
%code provides {
int aspen_yylex(ASPEN_YYSTYPE *value, ASPEN_YYLTYPE *at, void *scanner);
}
%code {
#include "workload/formats/aspen/build.h"

#include <stdio.h>
#undef yylex
#define yylex aspen_next
#define YYLLOC_DEFAULT(to, rhs, n) ((to) = (n) ? YYRHSLOC(rhs, 1) : YYRHSLOC(rhs, 0))
#define YYMAXDEPTH 10000
static int aspen_next(ASPEN_YYSTYPE *value, ASPEN_YYLTYPE *at, void *scanner, struct aspen_parse *p);
static void aspen_yyerror(const ASPEN_YYLTYPE *at, void *scanner, struct aspen_parse *p, const char *text);
static bool resync(struct aspen_parse *p, int token, uint32_t depth);
#define RESYNC(depth)                            \
	do {                                     \
		int token_ = yychar;             \
		if (resync(p, token_, (depth)))  \
			yyclearin;               \
		if (token_ != END)             \
			yyerrok;                 \
		if (p->a->given_up)              \
			YYABORT;                 \
	} while (0)
}

%union {
	double number;
	const char *text;
	struct aspen_expr *expr;
	struct aspen_stmt *stmt;
	struct aspen_param *param;
	struct aspen_override *override;
	struct aspen_branch *branch;
	struct aspen_requirement *requirement;
	struct aspen_trait *trait;
	struct aspen_arg *arg;
	struct aspen_kernel *kernel;
	struct aspen_component *component;
	struct aspen_tdef *tdef;
	struct aspen_import *import;
	struct aspen_list list;
	bool flag;
}

%token PARAM "param" ENUM "enum" SAMPLE "sample" IN "in" WITH "with" AS "as" OF "of" SIZE "size" MODEL "model"
%token KERNEL "kernel" DATA "data" IMPORT "import" TO "to" FROM "from" CALL "call" ITERATE "iterate" MAP "map"
%token PAR "par" SEQ "seq" EXECUTE "execute" IF "if" ELSE "else" SWITCH "switch" PROBABILITY "probability"
%token RESOURCE "resource" CONFLICT "conflict" PROPERTY "property" POWER "power" STATIC "static" DYNAMIC "dynamic"
%token AND "and" OR "or" DOTS ".." EQ "==" NE "!=" LE "<=" GE ">=" EMPTY "[]"
%token <text> WORD "a name" STRING "a string"
%token <number> REAL "a number"
%token END 0 "the end of the file"

%left AND OR
%left '+' '-'
%left '*' '/'
%precedence UMINUS
%right '^'

%type <text> ident label
%type <expr> quantity expr condition
%type <list> args numbers rows words overrides argdecls stmts otherwise requirements traits tdefs body branches
%type <param> param data
%type <override> override
%type <import> import
%type <kernel> kernel local_items
%type <stmt> stmt
%type <branch> branch
%type <requirement> requirement target
%type <trait> trait
%type <arg> argdecl
%type <tdef> tdef

%%
file: items ;

items: %empty | items item ;
item: global
    | model_head '{' members '}'
    | component_head '{' parts '}' { aspen_leave_component(p); }
    | error { RESYNC(0); }
    ;

model_head: "model" WORD { aspen_enter_model(p, @1, $2); } ;
members: %empty | members member ;
member: global | kernel { aspen_add_kernel(p, $1); } | error { RESYNC(1); } ;

global: param { aspen_add(p->a, &p->model->params, $1); }
      | data { aspen_add(p->a, &p->model->params, $1); }
      | import { aspen_add(p->a, &p->model->imports, $1); }
      | "enum" WORD '{' words '}' { aspen_add_enum(p, $2, &$4); }
      ;
words: WORD { $$ = aspen_one(p, aspen_word(p, @1, $1)); }
     | words ',' WORD { $$ = $1; aspen_add(p->a, &$$, aspen_word(p, @3, $3)); } ;

param: "param" ident '=' expr { $$ = aspen_param(p, @2, ASPEN_SCALAR, $2, $4); }
     | "param" ident '=' expr "in" expr ".." expr { $$ = aspen_param(p, @2, ASPEN_SCALAR, $2, $4); $$->low = $6; $$->high = $8; }
     | "param" ident '=' expr "in" WORD { $$ = aspen_param(p, @2, ASPEN_SCALAR, $2, $4); $$->enumeration = $6; }
     | "param" ident "[]" '=' '{' args '}' { $$ = aspen_param(p, @2, ASPEN_ARRAY, $2, NULL); $$->values = $6; }
     | "param" ident "[]" '=' WORD '(' args ')' { $$ = aspen_param(p, @2, ASPEN_ARRAY_OF, $2, aspen_call(p, @5, $5, &$7)); }
     | "param" ident "[]" "[]" '=' '{' rows '}' { $$ = aspen_param(p, @2, ASPEN_TABLE, $2, NULL); $$->values = $7; }
     ;
rows: '{' numbers '}' { $$ = aspen_one(p, aspen_row(p, &$2)); }
    | rows ',' '{' numbers '}' { $$ = $1; aspen_add(p->a, &$$, aspen_row(p, &$4)); } ;
numbers: args ;

data: "data" WORD "as" WORD '(' args ')' { $$ = aspen_param(p, @2, ASPEN_DATUM, $2, NULL); $$->values = $6; }
    | "data" WORD quantity { $$ = aspen_param(p, @2, ASPEN_DATUM, $2, $3); } ;

import: "import" WORD "from" STRING { $$ = aspen_import(p, @1, $2, $4, NULL); }
      | "import" WORD "from" STRING "with" overrides { $$ = aspen_import(p, @1, $2, $4, &$6); } ;
overrides: override { $$ = aspen_one(p, $1); }
         | overrides ',' override { $$ = $1; aspen_add(p->a, &$$, $3); } ;
override: WORD '=' expr { $$ = aspen_override(p, @1, $1, $3); } ;

quantity: '[' expr ']' { $$ = $2; } ;
ident: WORD | ident '.' WORD { $$ = aspen_join(p, $1, $3); } ;

args: expr { $$ = aspen_one(p, $1); }
    | args ',' expr { $$ = $1; aspen_add(p->a, &$$, $3); } ;

expr: REAL { $$ = aspen_number(p, @1, $1); }
    | ident { $$ = aspen_name(p, @1, $1); }
    | ident quantity { $$ = aspen_index(p, @1, $1, $2, NULL); }
    | ident quantity quantity { $$ = aspen_index(p, @1, $1, $2, $3); }
    | WORD '(' args ')' { $$ = aspen_call(p, @1, $1, &$3); }
    | '(' expr ')' { $$ = $2; }
    | expr '+' expr { $$ = aspen_binary(p, @2, ASPEN_ADD, $1, $3); }
    | expr '-' expr { $$ = aspen_binary(p, @2, ASPEN_SUBTRACT, $1, $3); }
    | expr '*' expr { $$ = aspen_binary(p, @2, ASPEN_MULTIPLY, $1, $3); }
    | expr '/' expr { $$ = aspen_binary(p, @2, ASPEN_DIVIDE, $1, $3); }
    | expr '^' expr { $$ = aspen_binary(p, @2, ASPEN_POWER, $1, $3); }
    | '-' expr %prec UMINUS { $$ = aspen_binary(p, @1, ASPEN_NEGATE, $2, NULL); }
    ;

condition: condition "and" condition { $$ = aspen_binary(p, @2, ASPEN_AND, $1, $3); }
         | condition "or" condition { $$ = aspen_binary(p, @2, ASPEN_OR, $1, $3); }
         | expr "==" expr { $$ = aspen_binary(p, @2, ASPEN_EQ, $1, $3); }
         | expr "!=" expr { $$ = aspen_binary(p, @2, ASPEN_NE, $1, $3); }
         | expr '<' expr { $$ = aspen_binary(p, @2, ASPEN_LT, $1, $3); }
         | expr '>' expr { $$ = aspen_binary(p, @2, ASPEN_GT, $1, $3); }
         | expr "<=" expr { $$ = aspen_binary(p, @2, ASPEN_LE, $1, $3); }
         | expr ">=" expr { $$ = aspen_binary(p, @2, ASPEN_GE, $1, $3); }
         ;

kernel: "kernel" ident '{' local_items stmts '}' { $$ = aspen_kernel(p, @2, $2, $4, NULL, &$5); }
      | "kernel" ident '(' argdecls ')' '{' local_items stmts '}' { $$ = aspen_kernel(p, @2, $2, $7, &$4, &$8); }
      | "kernel" ident '(' ')' '{' local_items stmts '}' { $$ = aspen_kernel(p, @2, $2, $6, NULL, &$7); } ;
argdecls: argdecl { $$ = aspen_one(p, $1); }
        | argdecls ',' argdecl { $$ = $1; aspen_add(p->a, &$$, $3); } ;
argdecl: "data" ident { $$ = aspen_arg(p, @2, $2, true); }
       | "param" ident { $$ = aspen_arg(p, @2, $2, false); } ;
local_items: %empty { $$ = aspen_locals(p); }
           | local_items param { $$ = $1; aspen_add(p->a, &$$->params, $2); }
           | local_items data { $$ = $1; aspen_add(p->a, &$$->params, $2); }
           | local_items import { $$ = $1; aspen_add(p->a, &$$->imports, $2); } ;

stmts: stmt { $$ = aspen_one(p, $1); }
     | stmts stmt { $$ = $1; aspen_add(p->a, &$$, $2); } ;
body: '{' stmts '}' { $$ = $2; } ;
label: %empty { $$ = NULL; } | STRING ;

stmt: "execute" label '{' requirements '}' { $$ = aspen_execute(p, @1, NULL, $2, &$4); }
    | "execute" quantity label '{' requirements '}' { $$ = aspen_execute(p, @1, $2, $3, &$5); }
    | "execute" WORD '{' requirements '}' { $$ = aspen_execute(p, @1, NULL, $2, &$4); }
    | "execute" WORD quantity '{' requirements '}' { $$ = aspen_execute(p, @1, $3, $2, &$5); }
    | "call" ident { $$ = aspen_call_kernel(p, @2, $2, NULL); }
    | "call" ident '(' ')' { $$ = aspen_call_kernel(p, @2, $2, NULL); }
    | "call" ident '(' args ')' { $$ = aspen_call_kernel(p, @2, $2, &$4); }
    | "sample" ident "from" WORD '(' args ')' { $$ = aspen_sample(p, @1, $2, aspen_call(p, @4, $4, &$6)); }
    | "par" label body { $$ = aspen_block(p, @1, ASPEN_PAR, NULL, NULL, $2, &$3); }
    | "seq" label body { $$ = aspen_block(p, @1, ASPEN_SEQ, NULL, NULL, $2, &$3); }
    | "iterate" quantity label body { $$ = aspen_block(p, @1, ASPEN_ITERATE, NULL, $2, $3, &$4); }
    | "iterate" ident quantity label body { $$ = aspen_block(p, @1, ASPEN_ITERATE, $2, $3, $4, &$5); }
    | "map" quantity label body { $$ = aspen_block(p, @1, ASPEN_MAP, NULL, $2, $3, &$4); }
    | "map" ident quantity label body { $$ = aspen_block(p, @1, ASPEN_MAP, $2, $3, $4, &$5); }
    | "if" '(' condition ')' body otherwise { $$ = aspen_choice(p, @1, ASPEN_IF, NULL, $3, &$5, &$6); }
    | "probability" '{' branches otherwise '}' { $$ = aspen_choice(p, @1, ASPEN_PROBABILITY, NULL, NULL, &$3, &$4); }
    | "switch" '(' ident ')' '{' branches otherwise '}' { $$ = aspen_choice(p, @3, ASPEN_SWITCH, $3, NULL, &$6, &$7); }
    ;
otherwise: %empty { $$ = (struct aspen_list){ 0 }; }
         | "else" body { $$ = $2; }
         | "else" "if" '(' condition ')' body otherwise { $$ = aspen_one(p, aspen_choice(p, @2, ASPEN_IF, NULL, $4, &$6, &$7)); }
         ;
branches: branch { $$ = aspen_one(p, $1); }
        | branches branch { $$ = $1; aspen_add(p->a, &$$, $2); } ;
branch: quantity body { $$ = aspen_branch(p, @1, $1, &$2); } ;

requirements: %empty { $$ = (struct aspen_list){ 0 }; }
            | requirements requirement { $$ = $1; aspen_add(p->a, &$$, $2); } ;
requirement: target
           | target "as" traits { $$ = $1; $$->traits = $3; } ;
target: WORD quantity { $$ = aspen_requirement(p, @1, $1, $2, NULL); }
      | WORD quantity "of" "size" quantity { $$ = aspen_requirement(p, @1, $1, $2, $5); }
      | WORD quantity "to" ident { $$ = aspen_requirement(p, @1, $1, $2, NULL); aspen_target($$, @4, $4, true); }
      | WORD quantity "from" ident { $$ = aspen_requirement(p, @1, $1, $2, NULL); aspen_target($$, @4, $4, false); }
      | WORD quantity "of" "size" quantity "to" ident { $$ = aspen_requirement(p, @1, $1, $2, $5); aspen_target($$, @7, $7, true); }
      | WORD quantity "of" "size" quantity "from" ident { $$ = aspen_requirement(p, @1, $1, $2, $5); aspen_target($$, @7, $7, false); }
      ;
traits: trait { $$ = aspen_one(p, $1); }
      | traits ',' trait { $$ = $1; aspen_add(p->a, &$$, $3); } ;
trait: WORD { $$ = aspen_trait(p, @1, $1, NULL); }
     | WORD '(' expr ')' { $$ = aspen_trait(p, @1, $1, $3); } ;

component_head: WORD WORD { aspen_enter_component(p, @2, $1, $2); } ;
parts: %empty | parts part ;
part: WORD WORD { aspen_part(p, @2, $1, $2, NULL); }
    | WORD quantity WORD { aspen_part(p, @3, $1, $3, $2); }
    | "property" WORD quantity { aspen_property(p, @2, $2, $3); }
    | "resource" WORD '(' WORD ')' quantity { aspen_resource(p, @2, $2, $4, $6, NULL); }
    | "resource" WORD '(' WORD ')' quantity "with" tdefs { aspen_resource(p, @2, $2, $4, $6, &$8); }
    | "conflict" WORD ',' WORD { aspen_conflict(p, @2, $2, $4); }
    | "static" "power" quantity
    | "dynamic" "power" quantity
    | error { RESYNC(1); }
    ;
tdefs: tdef { $$ = aspen_one(p, $1); }
     | tdefs ',' tdef { $$ = $1; aspen_add(p->a, &$$, $3); } ;
tdef: WORD quantity { $$ = aspen_tdef(p, @1, $1, NULL, $2); }
    | WORD '(' WORD ')' quantity { $$ = aspen_tdef(p, @1, $1, $3, $5); } ;
%%
/* Words that begin an item of a list. KERNEL does so at any depth: kernels are not nested. */
static bool begins_item(const struct aspen_parse *p, int token)
{
	switch (token) {
	case KERNEL:
	case END:
		return true;
	case PARAM:
	case DATA:
	case IMPORT:
	case ENUM:
	case MODEL:
	case RESOURCE:
	case CONFLICT:
	case PROPERTY:
	case STATIC:
	case DYNAMIC:
		return p->braces <= p->item_depth;
	default:
		return false;
	}
}

static bool stops_skipping(struct aspen_parse *p, int token)
{
	if (begins_item(p, token)) {
		if (token == KERNEL && p->braces > 1)
			p->braces = 1; /* a brace was forgotten */
		return true;
	}
	if (token == '}') {
		p->closed = p->braces == 0;
		return p->item_depth && p->braces < p->item_depth;
	}
	return token == WORD && p->closed && p->item_depth == 0;
}

static int aspen_next(ASPEN_YYSTYPE *value, ASPEN_YYLTYPE *at, void *scanner, struct aspen_parse *p)
{
	for (;;) {
		int token = p->a->given_up ? END : aspen_yylex(value, at, scanner);
		p->tokens++;
		if (token == '{')
			p->braces++;
		else if (token == '}' && p->braces)
			p->braces--;
		if (p->skipping && !stops_skipping(p, token))
			continue;
		p->skipping = false;
		return token;
	}
}

/* After a syntax error at `token`: is it to be dropped, with what follows up to the next item? One at which two errors
 * were found begins none. */
static bool resync(struct aspen_parse *p, int token, uint32_t depth)
{
	bool twice = p->resynced == p->tokens;
	p->resynced = p->tokens;
	p->item_depth = depth;
	p->closed = token == '}' && p->braces == 0;
	if (token == END || (!twice && (begins_item(p, token) || (token == '}' && p->braces < depth)))) {
		if (token == KERNEL && p->braces > 1)
			p->braces = 1;
		return false;
	}
	p->skipping = true;
	return token != ASPEN_YYEMPTY;
}

static void aspen_yyerror(const ASPEN_YYLTYPE *at, void *scanner, struct aspen_parse *p, const char *text)
{
	(void)scanner;
	if (!p->a->given_up) /* else what was wrong has been said */
		aspen_errorf(p->a, *at, "%s", text ? text : "is nested too deeply");
	p->a->given_up = true;
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, struct aspen_parse *p)
{
	enum { MOST = 8 };
	yysymbol_kind_t expected[64], token = yypcontext_token(context);
	const struct aspen_at *at = yypcontext_location(context);
	int n = yypcontext_expected_tokens(context, expected, 64);
	const char *names[64];
	char text[600], near[80];
	(void)scanner;
	if (p->a->given_up) /* the end of the text is none */
		return 0;
	if (n < 0)
		return n;
	for (int i = 0; i < n; i++)
		names[i] = yysymbol_name(expected[i]);
	int k = snprintf(text, sizeof text, "unexpected %s", token == YYSYMBOL_YYEMPTY ? "text" : yysymbol_name(token));
	for (int i = 0; i < n && n <= MOST; i++)
		k += snprintf(text + k, sizeof text - (size_t)k, "%s%s", !i ? ", expected " : i + 1 == n ? " or " : ", ",
		              names[i]);
	aspen_errorf(p->a, *at, "%s%s", text,
	             token == YYSYMBOL_WORD ? aspen_near_token(p, *at, names, (size_t)n, near, sizeof near) : "");
	return 0;
}
